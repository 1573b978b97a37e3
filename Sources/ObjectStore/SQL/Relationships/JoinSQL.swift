/// The columns of a join table, seen from one of its ends.
struct JoinSQL {
  let join: JoinTable
  let isForward: Bool

  var ownerColumns: [Column] { isForward ? join.ownerColumns : join.targetColumns }
  var targetColumns: [Column] { isForward ? join.targetColumns : join.ownerColumns }
  var owner: [String] { ownerColumns.map(\.name) }
  var target: [String] { targetColumns.map(\.name) }
  /// The column with the places in the owner's list.
  var order: String? { isForward ? join.targetOrder : join.ownerOrder }
}
