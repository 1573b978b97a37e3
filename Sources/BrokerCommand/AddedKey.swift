import ArgumentParser
import ObjectModel

/// `page=$.meta.page`: a key that objects get, and where its value comes from.
struct AddedKey: ExpressibleByArgument {
  let key: String
  let value: AddedValue

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex,
      let value = AddedValue(argument[argument.index(after: equals)...])
    else { return nil }
    key = String(argument[..<equals])
    self.value = value
  }
}
