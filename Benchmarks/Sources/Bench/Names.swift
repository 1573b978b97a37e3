/// What the rows of the report are called.
enum Names {
  static let floor = "floor: parsed rows, prepared upserts"
  static let broker = "**broker**, new store"
  static let again = "**broker**, again, nothing changed"
  static let pipe = "**broker**, new store, from a pipe"
  static let records = "JSONDecoder and GRDB records"
  static let shell = "sqlite3 shell, json_each"
  static let utilities = "sqlite-utils upsert"
  static let export = "**broker** export"
  static let pruneOfMany = "**broker**, prune of 10000 among 500000"
  static let pruneOfFew = "**broker**, prune of 10000 among 20000"
  static let intoMany = "**broker**, 1000 into a parent of 1000 among 500000"
  static let intoFew = "**broker**, 1000 into a parent of 1000 among 2000"
  static let help = "**broker** --help"
  static let demo = "**broker** import of the Bands example"
  static let oneIntoMany = "**broker**, one object into a large store"
  static let oneIntoFew = "**broker**, one object into a store of 500"
}
