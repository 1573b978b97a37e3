import ArgumentParser
import Foundation
import Inference
import Mapping
import ObjectStore

/// Ends the command with what went wrong.
enum Failure {
  /// The exit status where something was changed, or may have been, though the command failed.
  static let partialStatus: Int32 = 4

  static func exit(_ error: any Error) -> Never {
    if error is CancellationError {
      Terminal.writeError("Interrupted.\n")
      BrokerCommand.exit(withError: ExitCode(Interruption.exitStatus))
    }
    // Wrong usage is told with the arguments, among them pairs of an address that were not quoted as one.
    let message = BrokerCommand.fullMessage(for: error).replacing(/password\s*=[^\n]*/, with: "password=…")
    let isUncertain = (error as? StoreError)?.isCommitUncertain ?? false
    let code = isUncertain ? ExitCode(partialStatus) : BrokerCommand.exitCode(for: error)
    // Help, a version, what was said already.
    guard code != .success, !message.isEmpty else { BrokerCommand.exit(withError: error) }
    Terminal.writeError(advised(message, advice(for: error)) + "\n")
    BrokerCommand.exit(withError: code)
  }

  /// A message with advice behind it. A list, which has no full stop at its end, gets one.
  private static func advised(_ message: String, _ advice: String?) -> String {
    guard let advice else { return message }
    let isSentence = message.last.map { ".?!".contains($0) } ?? true
    return message + (isSentence ? " " : ". ") + advice
  }

  /// What the command's options can do about what the library says.
  static func advice(for error: any Error) -> String? {
    switch error {
    case is InferenceError: return "Add --model PATH."
    case let error as ImportError where error.lacksEntity:
      return "Add --entity NAME; or --at KEY.PATH, if the objects lie deeper."
    case let error as StoreError:
      return switch error.remedy {
      case .otherFile: "Name another file with --store; Broker creates it."
      case .model: "Add --model PATH."
      case .modelOfTheStore: "Import into a new store, or leave --model out to use the store's own."
      case .consent: "See “broker migrate --help” for how to decide; --dry-run tries it."
      case nil: nil
      }
    default: return nil
    }
  }
}
