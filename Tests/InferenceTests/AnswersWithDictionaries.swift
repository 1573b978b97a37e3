/// Answers whose objects or values stand under keys that are data, beside others of the same keys or names.
extension AnswerTests {
  static let withDictionaries = [
    Answer(
      testDescription: "texts of several languages by the same keys, beside other files",
      files: ["en", "de", "fr"].reduce(into: [:]) { files, language in
        let texts = (1..<40).map { #""\#($0)": "\#(language) \#($0)""# }
        files["in/i18n/\(language).json"] = "{\(texts.joined(separator: ", "))}"
      }.merging([
        "in/users.json": #"[{"id": 1, "name": "Ann"}, {"id": 2, "name": "Ben"}]"#,
        "in/package.json": #"{"name": "x", "version": "1.2", "private": true}"#,
      ]) { $1 },
      objects: ["I18n": 117, "User": 2, "Package": 1], words: ["en 1", "de 39", "fr 20", "1.2"]),
    Answer(
      testDescription: "a word in place of a dictionary",
      files: [
        "packages.json":
          #"{"packages": [{"version": "1", "require": {"php": ">=7.1", "acme/framework": "5.*", "acme/proxy": "~4"}}, {"version": "2", "require": "__unset"}, {"version": "3", "require": {"php": ">=7.3", "acme/framework": "6.*"}}]}"#
      ], objects: ["Package": 3], words: ["__unset", "5.*", ">=7.3"]),
    Answer(
      testDescription: "numbers by codes",
      files: [
        "places.json": "{"
          + "bcdefghijklmnopqrs".map { #""a\#($0)": 1\#($0.asciiValue ?? 0)"# }.joined(separator: ", ")
          + #", "art": 558, "ath": 596, "doi": 7}"#
      ], objects: ["Place": 21], words: ["ar", "596"]),
    Answer(
      testDescription: "dictionaries of objects and of numbers with the same keys",
      files: [
        "index.json": "{"
          + "bcdefghijklmnopqrstuvwxyz".map { #""a\#($0)": {"language": 1\#($0.asciiValue ?? 0)}"# }
          .joined(separator: ", ") + "}",
        "languages.json": "{"
          + "bcdefghijklmnopqrstuvwxyz".map { #""a\#($0)": 2\#($0.asciiValue ?? 0)"# }.joined(separator: ", ")
          + "}",
      ], objects: ["Record": 25, "Language": 25], words: ["1122", "2122"]),
    Answer(
      testDescription: "objects under the name of a moment",
      files: [
        "icons.json":
          #"{"entity": {"sensor": {"chlorine": {"default": "gauge"}, "uv": {"default": "sunny"}}, "time": {"end": {"default": "clock-end"}, "start": {"default": "clock-start"}}}}"#
      ], objects: ["Entity": 1], words: ["gauge", "sunny", "clock-end", "clock-start"]),
    Answer(
      testDescription: "a dictionary of objects whose keys come again with others elsewhere",
      files: ["light", "fan", "lock", "door", "gate", "valve"].reduce(into: [:]) { files, name in
        let keys = ["is_on", "is_off", "is_open", "is_\(name)"]
        let conditions = keys.map { #""\#($0)": {"condition": "\#(name)-\#($0)"}"# }
        files["icons/\(name).json"] =
          #"{"conditions": {\#(conditions.joined(separator: ", "))}, "services": {"a": {"service": "\#(name)"}}}"#
      }.merging([
        "icons/sun.json": #"{"conditions": {"#
          + (0..<12).map { #""is_\#($0)": {"condition": "sun-\#($0)"}"# }.joined(separator: ", ")
          + #"}, "entity": {"phase": {"default": "moon", "state": {"full": "moon-full", "new": "moon-new"}}}}"#
      ]) { $1 },
      objects: ["Icon": 6, "Sun": 1, "Condition": 36],
      words: ["light-is_on", "valve-is_on", "door-is_door", "sun-11", "moon-new"]),
    Answer(
      testDescription: "a dictionary one of whose keys is called as an entity is",
      files: [
        "carbon-DE.json": #"{"zone": "DE", "history": "#
          + list(0..<4) { #"{"zone": "DE", "intensity": \#($0), "datetime": "2024-02-0\#($0 + 1)"}"# } + "}",
        "power-DE.json": #"{"zone": "DE", "history": "#
          + list(0..<4) { #"{"zone": "DE", "power": \#($0), "datetime": "2024-02-0\#($0 + 1)"}"# } + "}",
        "zones.json": "{"
          + ["DE", "FR", "ES", "SE-SE3"].map { #""\#($0)": {"countryName": "C \#($0)", "access": ["a"]}"# }
          .joined(separator: ", ") + "}",
      ], objects: ["De": 2, "History": 8, "Zone": 4]),
    Answer(
      testDescription: "an export of dictionaries, one of them in another, beside scalars by key",
      files: [
        "forum.json":
          #"{"users": {"pLIix6MEOLeMa61Eq0": {"email": "a@x.io"}, "3joOj37HyVaQXekW91": {"email": "b@x.io"}, "64yTY6BzUZKC97i4x2": {"email": "c@x.io"}}, "#
          + #""messages": {"-N9I5KKgTPnO1KrsheE2": {"-NMIc8mAsNqjSc3vux9i": {"sender": "pLIix6MEOLeMa61Eq0", "text": "one"}, "-NMIc8mAsNqjSc3vux9j": {"sender": "3joOj37HyVaQXekW91", "text": "two"}}, "-NOEfwZeA5jbsBXA3hcM": {"-ND3HyP3MRJgN8ZGrBOU": {"sender": "3joOj37HyVaQXekW91", "text": "three"}, "-ND3HyP3MRJgN8ZGrBOV": {"sender": "64yTY6BzUZKC97i4x2", "text": "four"}}}, "#
          + #""members": {"-N9I5KKgTPnO1KrsheE2": {"pLIix6MEOLeMa61Eq0": true, "64yTY6BzUZKC97i4x2": true}, "-NOEfwZeA5jbsBXA3hcM": {"3joOj37HyVaQXekW91": true, "64yTY6BzUZKC97i4x2": true}}, "config": {"theme": "dark"}}"#
      ], objects: ["Forum": 1, "User": 3, "Message": 4, "Member": 4], links: ["Message.sender": "User"],
      words: ["dark", "-NOEfwZeA5jbsBXA3hcM", "three"], identities: ["User": ["id"]]),
    Answer(
      testDescription: "a dictionary of objects under a word for what stands around lists",
      files: [
        "chat.json":
          #"{"users": {"pLIix6MEOLeMa61Eq0": {"email": "a@x.io"}, "3joOj37HyVaQXekW91": {"email": "b@x.io"}}, "#
          + #""messages": {"-NMIc8mAsNqjSc3vux9i": {"sender": "pLIix6MEOLeMa61Eq0", "text": "one"}, "-NMIc8mAsNqjSc3vux9j": {"sender": "3joOj37HyVaQXekW91", "text": "two"}}}"#
      ], objects: ["User": 2, "Message": 2], links: ["Message.sender": "User"]),
    Answer(
      testDescription: "currencies by their codes, one of which is a symbol too",
      files: [
        "de.json":
          #"{"language": "de", "currencies": {"EUR": {"name": "Euro", "symbol": "€"}, "CHF": {"name": "Franken", "symbol": "CHF"}, "JPY": {"name": "Yen", "symbol": "¥"}}}"#
      ], objects: ["De": 1, "Currency": 3], words: ["EUR", "JPY"]),
    Answer(
      testDescription: "pictures by generation",
      files: [
        "pictures.json": list(1..<6) {
          #"{"id": \#($0), "sprites": {"generation-i": {"red": {"front": "a\#($0)"}}, "generation-ii": {"gold": {"front": "b\#($0)", "back": "c"}, "silver": {"front": "d", "back": null}}, "generation-iii": {"icons": {"front": "e"}}}}"#
        }
      ], objects: ["Picture": 5, "Sprite": 15], words: ["generation-iii", "icons"]),
  ]
}
