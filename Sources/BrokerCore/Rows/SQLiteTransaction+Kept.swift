import ObjectStore

extension SQLiteTransaction {
  /// What a connection keeps for a type. It is made when it is first needed.
  func kept<Value: AnyObject>(for key: Any.Type, _ make: () throws -> Value) throws -> Value {
    try checkIsOngoing()
    if let known = cache.objects[ObjectIdentifier(key)] as? Value { return known }
    let value = try make()
    cache.objects[ObjectIdentifier(key)] = value
    return value
  }
}
