import ArgumentParser
import Foundation
import Inference

/// The words of a person on a model that is taken from JSON.
struct WishOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Of a model that is taken from JSON: another name for an entity.", valueName: "old=new"))
  var rename: [Assignment] = []

  @Option(
    help: ArgumentHelp(
      "Of a model that is taken from JSON: the values of a key name objects of an entity.",
      valueName: "entity.key=entity"))
  var link: [Assignment] = []

  @Option(
    help: ArgumentHelp(
      "Of a model that is taken from JSON: the values of a key name no objects.", valueName: "entity.key"))
  var notALink: [String] = []

  /// Whether anything is said.
  var areGiven: Bool { !rename.isEmpty || !link.isEmpty || !notALink.isEmpty }

  /// - Parameters:
  ///   - entity: The name of the entity at the top.
  ///   - identities: The keys that identify the objects of entities, with commas between them.
  func wishes(entity: String?, identities: [String: String]) -> InferenceWishes {
    var wishes = InferenceWishes()
    wishes.entity = entity
    wishes.identities = identities.mapValues { keys in
      keys.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    for wish in rename { wishes.renames[wish.name] = wish.value }
    for wish in link { wishes.links[wish.name] = wish.value }
    wishes.notLinks = Set(notALink)
    return wishes
  }
}

extension InferenceWishes {
  /// Whether more is said than what the objects are called.
  var concernModel: Bool { !identities.isEmpty || !renames.isEmpty || !links.isEmpty || !notLinks.isEmpty }
}

/// `Record=Reading`
struct Assignment: ExpressibleByArgument {
  let name: String
  let value: String

  init?(argument: String) {
    guard let sign = argument.firstIndex(of: "=") else { return nil }
    name = String(argument[..<sign])
    value = String(argument[argument.index(after: sign)...])
    if name.isEmpty || value.isEmpty { return nil }
  }
}
