/// The index of the elements of an attribute that is a list: a table that has the key of an object beside each element.
package struct ElementIndex: Sendable {
  package let name: String
  /// The column of the list.
  let column: Int
  /// What its column with the elements is called.
  let element: String

  init(of column: Int, in table: Table, _ names: inout Names) {
    self.column = column
    name = names.take("\(table.name)_\(table.columns[column].name)_elements", with: IndexTriggers.suffixes)
    var columnNames = Names(
      reserved: ["rowid", "oid", "_rowid_"] + table.key.map { table.columns[$0].name }, .sqlite)
    element = columnNames.take("element")
  }
}
