import TestSettings

/// An attribute with values that its JSON may have.
struct RandomProperty {
  var name: String
  var type: String
  var settings: [String] = []
  /// As JSON.
  var values: [String]

  var isRequired: Bool { type.hasSuffix("!") }

  /// The key or the key path.
  var path: String {
    settings.first { $0.hasPrefix("broker.key=") }.map { String($0.dropFirst("broker.key=".count)) } ?? name
  }

  /// An attribute of any type, with a key path, a default or a transformer at times.
  static func any(named name: String, _ random: inout Seeded, _ limits: RandomModel.Limits) -> RandomProperty
  {
    var property = random.pick(kinds)
    property.name = name
    if random.below(5) == 0 {
      property.settings.append("broker.key=\(random.pick(["meta", "meta.deep", "state"])).\(name)")
    }
    if random.below(4) == 0 {
      property.type += "!"
    } else {
      property.values.append("null")
      if property.settings.isEmpty, property.type == "integer16", !limits.contains(.noDefaults) {
        property.settings.append("default=42")
      }
    }
    return property
  }

  /// The attributes of an identity.
  static func identity(_ random: inout Seeded) -> [RandomProperty] {
    if random.below(5) == 0 {
      return [
        RandomProperty(name: "x", type: "integer16", values: ["1", "1", "2", "2", "3"]),
        RandomProperty(name: "y", type: "string", values: [#""a""#, #""c\\d""#, #""a""#, #""ü""#, #""7""#]),
      ]
    }
    var property = random.pick(identities)
    if random.below(5) == 0 { property.settings.append("broker.key=meta.\(property.name)") }
    return [property]
  }

  private static let identities = [
    RandomProperty(name: "id", type: "integer64", values: ["1", "-2", "9223372036854775807", "0", "40"]),
    RandomProperty(
      name: "id", type: "integer32", settings: ["broker.transformer=numberAsString"],
      values: ["1", #""2""#, "3", "4", #""5""#]),
    RandomProperty(
      name: "code", type: "string", values: [#""a,b""#, #""c\\d""#, #""ü""#, #""7""#, #""it's \"x\"""#]),
    RandomProperty(
      name: "code", type: "string",
      values: [
        #""http://x.org/a:b#c?d=%20e""#, #""/""#, #""a/_history/1""#, #"" b, 'c' ""#, #""urn:uuid:5%2F""#,
      ]),
    RandomProperty(
      name: "code", type: "string", settings: ["broker.transformer=trimmed,lowercase"],
      values: [#"" A""#, #""b""#, #""C ""#, #""Ü""#, #""e""#]),
    RandomProperty(
      name: "code", type: "integer64",
      settings: [#"broker.transformer=regex("/code/(\\d+)/", "https://api/code/$1/")"#],
      values: (1...5).map { "\"/v2/code/\($0)/\"" }),
    RandomProperty(
      name: "code", type: "string", settings: [#"broker.transformer=prefix("P/"),suffix("/")"#],
      values: [#""P/a,b/""#, #""P//""#, #""P/é/""#, #""P/P//""#, #""P/7/""#]),
    RandomProperty(
      name: "zip", type: "string", settings: ["broker.transformer=stringAsNumber"],
      values: ["1", #""007""#, #""A1""#, "94107", "5.0"]),
    RandomProperty(
      name: "uid", type: "uuid",
      values: (0..<5).map { "\"F81D4FAE-7DEC-11D0-A765-00A0C91E6BF\($0)\"" }),
    RandomProperty(
      name: "price", type: "decimal", values: ["0.1", "12345678901234567890.5", "-3", "1e3", #""7.50""#]),
    RandomProperty(
      name: "day", type: "date",
      values: (1...5).map { "\"2014-08-3\($0 % 2)T00:00:0\($0).5Z\"" }),
    RandomProperty(
      name: "day", type: "date", settings: ["broker.dateFormat=dd.MM.yyyy"],
      values: (1...5).map { "\"0\($0).02.2014\"" }),
    RandomProperty(
      name: "moment", type: "date", settings: ["broker.dateFormat=seconds"],
      values: ["0", "1409437755", "-1.5", "1.25", "2"]),
    RandomProperty(name: "ratio", type: "double", values: ["0.1", "2", "-1e20", "1e-7", "123456.789"]),
    RandomProperty(name: "url", type: "uri", values: (0..<5).map { "\"https://example.com/\($0)?a=b,c\"" }),
  ]

  private static let kinds = [
    kind("integer64", ["0", "-1", "9223372036854775807"]), kind("integer32", ["7", "-2147483648"]),
    kind("integer16", ["1", "32767"]), kind("boolean", ["true", "false"]),
    kind("float", ["0.5", "-1.25e10", "3"]),
    kind("double", ["0.1", "1e300", "-2.5", "1e-320", "100"]),
    kind("decimal", ["0.10", "12345678901234567890.123456789", "-5"]),
    kind("string", [#""""#, #""ü\"\n\\ \u0001""#, #""7""#, #""null""#, #""a, b""#]),
    kind("date", [#""1981-11-13T20:15:00Z""#, #""1981-11-13 20:15:00.123456789""#, #""0001-01-01""#, "0"]),
    kind("uuid", [#""F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6""#]), kind("uri", [#""https://example.com/?q=1""#]),
    kind("binary", [#""AAECAw==""#, #""""#, #""/+8=""#]),
    kind("transformable", [#"{"b": 1.50, "a": [null, "x"]}"#, "[]", #""text""#, "5", "true"]),
    kind("date", ["0", "-1.5", "1409437755.25"], "broker.dateFormat=seconds"),
    kind("date", ["0", "-1500", "1409437755250.5"], "broker.dateFormat=milliseconds"),
    kind(
      "date", [#""2014/08/31 00:29:15 +02:00""#, #""1969/12/31 23:59:59 -11:00""#],
      "broker.dateFormat=yyyy/MM/dd HH:mm:ss ZZZZZ"),
    kind(
      "date", [#""01.02.2014""#, #""31.07.1970""#], "broker.dateFormat=dd.MM.yyyy",
      "broker.timeZone=Europe/Berlin"),
    kind(
      "date", [#""2014-02-01 23:59""#], "broker.dateFormat=yyyy-MM-dd HH:mm", "broker.timeZone=+05:30"),
    kind("date", [#""2014-02-01T10:00:00""#], "broker.timeZone=America/New_York"),
    kind("integer64", [#""5""#, "6"], "broker.transformer=numberAsString"),
    kind("decimal", [#""5.10""#, "6"], "broker.transformer=numberAsString"),
    kind("string", ["5", #""007""#, "1.50", #""x""#], "broker.transformer=stringAsNumber"),
    kind("string", [#""a &amp;amp; b""#, #""<&eacute;> '""#], "broker.transformer=htmlEntities"),
    kind("boolean", [#""Yes""#, #""inactive""#, "true"], "broker.transformer=yesNo"),
    kind("boolean", [#""on""#, "false"], "broker.transformer=onOff"),
    kind("boolean", ["0", "1"], "broker.transformer=zeroOne"),
    kind("boolean", ["true", #""no""#], "broker.transformer=yesNo,not"),
    kind("double", ["1500", "0", "1", "-123456789"], "broker.transformer=milliseconds"),
    kind("date", ["1500", "1409437755250"], "broker.dateFormat=seconds", "broker.transformer=milliseconds"),
    kind("string", [#""a, b""#, #"["a,b"]"#, #""""#], "broker.transformer=commaSeparated"),
    kind("transformable", [#""{\"b\": 1.50, \"a\": []}""#, "[1]"], "broker.transformer=embeddedJSON"),
    kind("string", [#"" A ""#, #""Straße""#], "broker.transformer=trimmed,lowercase"),
    kind("string", [#""p/x""#, #""p/""#, #""p/p/é""#], #"broker.transformer=prefix("p/")"#),
    kind("double", [#""5 km""#, #""1.5 km""#], #"broker.transformer=suffix(" km")"#),
    kind("string", [#""/t/1/""#, #""x/t/22/y""#], #"broker.transformer=regex("/t/(\\d+)/")"#),
    kind(
      "string", [#""A""#, #""I""#, #""other""#],
      #"broker.transformer=table({"A": "active", "I": "idle"}, "keep")"#),
    kind("integer16", [#""low""#, "2"], #"broker.transformer=table([["low", 1], [2, 5]])"#),
    kind("boolean", [#""Y""#, #""N""#], #"broker.transformer=table({"Y": true, "N": false})"#),
    kind("transformable", [#""a;b;;c""#, #""x""#, "[1, null]"], #"broker.transformer=split(";")"#),
    kind("transformable", [#"["u/a", null, {"k": 1}]"#, "[]"], #"broker.transformer=prefix("u/")"#),
  ]

  private static func kind(_ type: String, _ values: [String], _ settings: String...) -> RandomProperty {
    RandomProperty(name: "", type: type, settings: settings, values: values)
  }
}
