/// A mistake in an entity; the name identifies its message.
enum ProblemID: String {
  // The struct
  case notAStruct
  case generic
  case conditional
  case tuplePattern
  case notALiteral
  case emptyName
  // Its properties
  case typeMissing
  case unstorable
  case unsigned
  case propertyWrapper
  case lazy
  case constant
  case transientWithoutValue
  case contraryRange
  // What they are marked with
  case markTwice
  case markOnTransient
  case markOnInherited
  case markOnRelationship
  case markOnAttribute
  case markWithoutEffect
  case twoVersions
  case searchWithoutWords
  // Keys and names
  case emptyKey
  case keyTwice
  case nameTwice
  // Identity and inheritance
  case identityMissing
  case identityOptional
  case identityType
  case identityUnwanted
  case identifierTaken
  case inheritedTwice
  case inheritedType
  case inheritedUnidentified
  // Relationships
  case optionalToMany
  case relationshipInCollection
  case relationshipExpected
  case toOneCount
  case inverseCircle
  case inverseForm
  case inverseRoot
  case inverseTwice
}
