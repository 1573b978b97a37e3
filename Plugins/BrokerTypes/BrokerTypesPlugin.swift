import Foundation
import PackagePlugin

/// Makes Swift types of the models among the files of a target: Core Data's bundles, and files that end in `.model.json`
/// or `.model.yaml`.
@main struct BrokerTypesPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    let tool = try context.tool(named: "ModelTypes")
    return Self.models(in: target).map { model in
      let name = model.lastPathComponent.prefix { $0 != "." }
      let output = context.pluginWorkDirectoryURL.appending(path: "\(name)+Types.swift")
      return .buildCommand(
        displayName: "Types of \(model.lastPathComponent)", executable: tool.url,
        arguments: [model.path, output.path], inputFiles: Self.files(of: model),
        outputFiles: [output])
    }
  }

  private static func models(in target: any SourceModuleTarget) -> [URL] {
    var result: [URL] = []
    for file in target.sourceFiles {
      let bundle = bundle(around: file.url)
      let name = file.url.lastPathComponent
      let isModel = [".model.json", ".model.yaml", ".model.yml"].contains { name.hasSuffix($0) }
      if let model = bundle ?? (isModel ? file.url : nil), !result.contains(model) { result.append(model) }
    }
    return result
  }

  /// The Core Data bundle that a file is or lies in.
  private static func bundle(around file: URL) -> URL? {
    var url = file
    while url.pathComponents.count > 1 {
      if url.pathExtension == "xcdatamodeld" { return url }
      url.deleteLastPathComponent()
    }
    return nil
  }

  /// The files whose changes change the types.
  private static func files(of model: URL) -> [URL] {
    guard model.pathExtension == "xcdatamodeld",
      let files = FileManager.default.enumerator(at: model, includingPropertiesForKeys: [.isRegularFileKey])
    else { return [model] }
    let all = files.compactMap { $0 as? URL }
    // try?: a file that cannot be looked at is no input; the build fails where it is needed.
    return all.filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile ?? false }
  }
}
