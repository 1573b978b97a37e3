import SwiftDiagnostics

/// The words of a problem, of a note to it or of a way to mend it.
struct Message: DiagnosticMessage, NoteMessage, FixItMessage {
  let message: String
  let severity: DiagnosticSeverity
  let diagnosticID: MessageID

  init(id: ProblemID, kind: String? = nil, severity: DiagnosticSeverity = .error, message: String) {
    self.message = message
    self.severity = severity
    let name = [id.rawValue, kind].compactMap { $0 }.joined(separator: ".")
    diagnosticID = MessageID(domain: "Broker", id: name)
  }

  var noteID: MessageID { diagnosticID }
  var fixItID: MessageID { diagnosticID }
}
