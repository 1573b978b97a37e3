public import Foundation
import JSONStream

extension Model {
  /// Reads a model from Broker's JSON form.
  ///
  ///     let model = try Model(json: Data(#"{"entities": [{"name": "Band"}]}"#.utf8))
  ///
  /// `entities` may also be an object in the short forms of ``init(yaml:)``.
  ///
  /// - Throws: ``ModelError`` if it is malformed, has an unknown key, or a value is not what its key needs;
  ///   the message names the entity and the property.
  public init(json data: Data) throws {
    guard String(validating: data, as: UTF8.self) != nil else { throw ModelError(.notUTF8) }
    let value: FormValue
    do throws(JSONError) { value = try FormValue(json: data) } catch {
      throw ModelError(.malformedJSON(error.description))
    }
    self = try FormReader().model(from: ShortForm(value).expanded())
  }

  /// The model in Broker's JSON form.
  ///
  /// The same model always gives the same text: keys have a fixed order, `userInfo` is sorted, and what has
  /// its default is left out.
  public func json() -> String {
    FormWriter().value(of: self).document()
  }
}

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
