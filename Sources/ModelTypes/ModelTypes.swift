import Foundation
import ObjectModel
import SwiftForm

/// The program that the plugin `BrokerTypes` runs: `ModelTypes <model> <output>` writes a model as Swift types.
///
/// It does what `broker model swift` does. An app with the plugin builds this program, and not the whole command.
@main struct ModelTypes {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 2, let path = arguments.first, let output = arguments.last else {
      fail("usage: ModelTypes <model> <output>")
    }
    do {
      let model = try Model(contentsOf: URL(fileURLWithPath: path))
      try model.validate()
      let code = try SwiftCode(model)
      try Data(code.text.utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
      for remark in code.remarks { tell("\(path): note: \(remark)") }
    } catch let error as ModelError {
      fail(error.diagnostic)
    } catch {
      fail("\(path): error: \(error)")
    }
  }

  private static func tell(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }

  private static func fail(_ line: String) -> Never {
    tell(line)
    exit(1)
  }
}
