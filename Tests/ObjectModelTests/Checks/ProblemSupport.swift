import ObjectModel

/// The problems of a Core Data file with these elements, as lines.
func problems(_ elements: String) throws -> [String] {
  try model(elements).problems().map(\.description)
}

/// The problems of a file with one entity, `E`, with these elements.
func problems(ofEntity elements: String) throws -> [String] {
  try problems("<entity name='E'>\(elements)</entity>")
}

/// An entity with these elements.
func entity(_ name: String, parent: String? = nil, _ elements: String = "") -> String {
  "<entity name='\(name)' \(parent.map { "parentEntity='\($0)'" } ?? "")>\(elements)</entity>"
}

/// An attribute that is a string, or what `attributes` says, with a `userInfo` entry if need be.
func property(
  _ name: String, _ attributes: String = "attributeType='String'", userInfo: (String, String)? = nil
) -> String {
  "<attribute name='\(name)' \(attributes)>\(info(userInfo))</attribute>"
}

/// A relationship that is its own inverse, from an entity `E` to itself.
func loop(_ name: String, _ attributes: String = "", userInfo: (String, String)? = nil) -> String {
  "<relationship name='\(name)' destinationEntity='E' inverseName='\(name)' \(attributes)>\(info(userInfo))</relationship>"
}

func info(_ entry: (String, String)?) -> String {
  entry.map { "<userInfo><entry key='\($0.0)' value='\($0.1)'/></userInfo>" } ?? ""
}
