public import Foundation

extension Model {
  /// Reads a model from YAML: Broker's JSON form, or short forms of it.
  ///
  /// ```yaml
  /// Band: {name: string*, formed: int = 1970, albums: [Album, cascade]}
  /// Album: {id: int, title: string!, band: Band!}
  /// LiveAlbum < Album: {place: string}
  /// ```
  ///
  /// - Throws: ``ModelError`` if it is malformed or says what no model says, with the line and the column.
  public init(yaml data: Data) throws {
    guard let text = String(validating: data, as: UTF8.self) else { throw ModelError(.notUTF8) }
    let tree = try YAMLTree(text)
    do {
      self = try FormReader().model(from: ShortForm(tree.value, allowsEntitiesAtTop: true).expanded())
    } catch let error as ModelError {
      throw tree.located(error)
    }
  }

  /// The model in YAML, in short forms where they say everything.
  ///
  /// Reading it gives the same model, and the same model always gives the same text.
  public func yaml() -> String { YAMLWriter(self).text }
}
