import Bytes

/// Where in the JSON a row's object stands: a step from the object around it, or from the root.
struct RowPlace: BitwiseCopyable {
  var step: PathStep
  private var positionBits: Int32

  init(_ step: PathStep, position: Int) {
    self.step = step
    positionBits = Int32(truncatingIfNeeded: position)
  }

  /// The place in the list that the step leads to; -1 if it leads to no list.
  var position: Int { Int(positionBits) }
}

/// A step of a path, `.albums`, as bytes of a batch.
struct PathStep: BitwiseCopyable {
  let offset: Int
  private let countBits: Int32

  init(offset: Int, count: Int) {
    self.offset = offset
    countBits = Int32(truncatingIfNeeded: count)
  }

  var count: Int { Int(countBits) }
}
