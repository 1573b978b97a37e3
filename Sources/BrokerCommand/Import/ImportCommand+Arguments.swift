public import ArgumentParser
public import Mapping
public import ObjectModel
public import ObjectStore

extension KeyStyle: ExpressibleByArgument {}
extension ToManyPolicy: ExpressibleByArgument {}
extension ReferencePolicy: ExpressibleByArgument {}

/// `Band/Japan` or `Band/Japan/albums`. An identity may have slashes in it.
struct TargetPath: ExpressibleByArgument {
  let entity: String
  let identity: String
  let relationship: String?

  /// A path of three parts, or of two; where an identity has a slash, the last part is taken for the
  /// relationship, so `--onto` puts them together again.
  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 2, !parts.contains("") else { return nil }
    entity = parts[0]
    relationship = parts.count > 2 ? parts.last : nil
    identity = parts[1..<max(2, parts.count - 1)].joined(separator: "/")
  }

  private init(entity: String, identity: String) {
    self.entity = entity
    self.identity = identity
    relationship = nil
  }

  /// The path as one of an object.
  var ofObject: TargetPath {
    TargetPath(entity: entity, identity: [identity, relationship].compactMap { $0 }.joined(separator: "/"))
  }
}

/// `insert,update`
struct OperationList: ExpressibleByArgument {
  let operations: Operations

  init?(argument: String) {
    guard let named = Operations(words: QueryOptions.list(argument)) else { return nil }
    operations = named
  }
}

extension DeletionLimit: ExpressibleByArgument {
  /// `100` or `5%`
  public init?(argument: String) {
    if argument.hasSuffix("%") {
      guard let percent = Double(argument.dropLast()), (0...100).contains(percent) else { return nil }
      self = .percent(percent)
    } else {
      guard let count = Int(argument), count >= 0 else { return nil }
      self = .objects(count)
    }
  }
}

extension ImportShare: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
