import Foundation

/// The contents of an `.xccurrentversion` file: which version of a bundle is the current one.
struct CurrentVersion: Codable {
  var name: String?

  enum CodingKeys: String, CodingKey {
    case name = "_XCCurrentVersionName"
  }

  /// Such a file has one dictionary with one text in it.
  private static let sizeLimit = 64 * 1024
  private static let nestingLimit = 16

  init(name: String?) { self.name = name }

  /// Reads a property list, once its bytes show that it is small and flat: Foundation calls itself for what is
  /// nested.
  init(propertyList data: Data) throws {
    guard data.count <= Self.sizeLimit else { throw unreadable("it is larger than 64 kB") }
    // References between the parts of the binary form show no nesting.
    guard !data.starts(with: Data("bplist".utf8)) else {
      throw unreadable("it is in the binary form; `plutil -convert xml1` makes it XML")
    }
    guard Self.openings(in: data) <= Self.nestingLimit else { throw unreadable("it is nested") }
    self = try PropertyListDecoder().decode(CurrentVersion.self, from: data)
  }

  /// How many lists and dictionaries begin in a property list of either form as text, at most: in XML every element
  /// counts, of which each has two tags.
  private static func openings(in data: Data) -> Int {
    data.count { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "{") }
      + data.count { $0 == UInt8(ascii: "<") } / 2
  }
}

private func unreadable(_ cause: String) -> ModelError { ModelError(.unreadableCurrentVersion(cause)) }
