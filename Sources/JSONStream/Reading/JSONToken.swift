/// An event of a reader.
package enum JSONToken: UInt8, Sendable {
  case beginObject
  case endObject
  case beginArray
  case endArray
  /// A key of an object. Its text is the reader's ``JSONReader/text``.
  case key
  /// A string. Its text is the reader's ``JSONReader/text``, escapes resolved.
  case string
  /// A number. Its text is the reader's ``JSONReader/text``, as written.
  case number
  case `true`
  case `false`
  case null
  /// No more values.
  case end
}
