import Foundation

/// Writes the XML form of property lists.
package enum XMLPropertyListText {
  package static func bytes(of tree: PropertyListTree) -> [UInt8] {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">

      """
    write(tree, to: &text, "")
    return Array((text + "</plist>\n").utf8)
  }

  private static func write(_ tree: PropertyListTree, to text: inout String, _ margin: String) {
    switch tree {
    case .null: text += margin + "<string>$null</string>\n"
    case .boolean(let flag): text += margin + (flag ? "<true/>\n" : "<false/>\n")
    case .integer(let value): text += margin + "<integer>\(value)</integer>\n"
    case .unsigned(let value): text += margin + "<integer>\(value)</integer>\n"
    case .real(let value): text += margin + "<real>\(value)</real>\n"
    case .float(let value): text += margin + "<real>\(value)</real>\n"
    case .date(let seconds):
      let date = Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
      text += margin + "<date>\(date)</date>\n"
    case .data(let bytes): text += margin + "<data>\n\(Data(bytes).base64EncodedString())\n</data>\n"
    case .string(let string): text += margin + "<string>\(escaped(string))</string>\n"
    case .uid(let value): write(.dictionary([("CF$UID", .integer(Int64(value)))]), to: &text, margin)
    case .array(let elements), .set(let elements):
      text += margin + (elements.isEmpty ? "<array/>\n" : "<array>\n")
      for element in elements { write(element, to: &text, margin + "\t") }
      if !elements.isEmpty { text += margin + "</array>\n" }
    case .dictionary(let members):
      text += margin + "<dict>\n"
      for (key, value) in members {
        text += margin + "\t<key>\(escaped(key))</key>\n"
        write(value, to: &text, margin + "\t")
      }
      text += margin + "</dict>\n"
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
