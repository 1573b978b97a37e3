import Foundation
import ModelForms
import ObjectModel

/// What `broker model convert` reads: a model, or a schema that a model is made of.
struct ConvertibleModel {
  let model: Model
  /// What was inferred of a schema.
  var remarks: [Remark] = []

  /// - Throws: ``CleanError`` for a schema that cannot be used, else what ``Model/init(usableAt:)`` throws.
  init(path: String) throws {
    let reading: ModelReading?
    do {
      reading = try ModelReading(contentsOf: URL(fileURLWithPath: path))
    } catch let error as SchemaFileError {
      throw CleanError("\(path): \(error)")
    } catch let error as ModelError {
      throw CleanError("\(path): \(error)")
    }
    guard let reading else {
      model = try Model(usableAt: path)
      return
    }
    try reading.model.validate()
    model = reading.model
    remarks = reading.remarks
  }
}
