import Foundation
import ObjectModel
package import ObjectStore

/// The style as imports show it, and as exports take it.
extension ObservedJSONStyle {
  /// The name under which the store remembers it.
  private static let key = "json"

  /// The style that the store remembers. What another version wrote and this one cannot read counts as nothing.
  package init(_ transaction: any EngineTransaction) throws {
    self =
      try transaction.remembered(under: Self.key).flatMap { ObservedJSONStyle($0) } ?? ObservedJSONStyle()
  }

  /// Stores what an import has shown, if any of it is new.
  static func learn(from plan: Plan, _ transaction: any EngineTransaction) throws {
    let before = try ObservedJSONStyle(transaction)
    var style = before
    for entity in plan.entities { style.learn(from: entity, plan.layout.schema) }
    if style != before { try transaction.remember(style.text, under: Self.key) }
  }

  private mutating func learn(from plan: EntityPlan, _ schema: Schema) {
    if let style = plan.keyStyle { keys[plan.entity.name] = style.rawValue }
    for (index, attribute) in plan.entity.attributes.enumerated() {
      guard let seen = plan.datesSeen(ofAttribute: index) else { continue }
      let owner = schema.entities[attribute.owner].name
      let known = dates[owner]?[attribute.name]
      dates[owner, default: [:]][attribute.name] = known.map { Self.united($0, seen) } ?? seen
    }
  }

  /// The form of dates that came in two: that of both, where moments differ in nothing but the digits of their fractions.
  private static func united(_ one: DateForm, _ other: DateForm) -> DateForm {
    if one == other { return one }
    guard let first = TimeForm(one), let second = TimeForm(other), let both = first.united(with: second)
    else {
      return .time
    }
    return both.dateForm
  }

  // MARK: - Exports

  /// The style of an entity's keys; nil if that is not known.
  func style(of entity: SchemaEntity, _ schema: Schema) -> ExportOptions.Keys? {
    for index in entity.ancestry {
      if let style = keys[schema.entities[index].name] { return ExportOptions.Keys(rawValue: style) }
    }
    return nil
  }

  package func isSnakeCase(_ entity: String) -> Bool { keys[entity] == ExportOptions.Keys.snake.rawValue }

  /// Whether all dates of an attribute came without a time.
  func areAlone(datesOf attribute: SchemaAttribute, _ schema: Schema) -> Bool {
    attribute.type == .date && dates[schema.entities[attribute.owner].name]?[attribute.name] == .date
  }
}

extension ObservedJSONStyle {
  /// The one form in which all moments of an attribute came; nil if they came in several, or in the one that exports have anyhow.
  func timeForm(of attribute: SchemaAttribute, _ schema: Schema) -> TimeForm? {
    guard attribute.type == .date else { return nil }
    return dates[schema.entities[attribute.owner].name]?[attribute.name].flatMap(TimeForm.init).flatMap {
      $0.isUsual ? nil : $0
    }
  }
}

/// How the dates of an attribute have come in an import.
///
/// The thread that reads the JSON marks it. Nobody looks at it before that thread has ended. The mark is behind a
/// pointer of its own, since every access to a variable of a class is checked for exclusivity.
final class DatesSeen: @unchecked Sendable {
  private struct Marks {
    var hasDays = false
    var hasMoments = false
    /// Whether moments came in forms that have nothing in common.
    var isMixed = false
    /// The one form of the moments.
    var form: TimeForm?
    /// The length of texts of that form which end with a `Z`; -1 if it has none such, or several.
    var length = -1
    /// The byte between their days and their times.
    var separator: UInt8 = 0
  }

  private let marks: UnsafeMutablePointer<Marks>

  init() {
    marks = .allocate(capacity: 1)
    marks.initialize(to: Marks())
  }

  deinit {
    marks.deinitialize(count: 1)
    marks.deallocate()
  }

  @inline(__always)
  func note(_ text: UnsafeBufferPointer<UInt8>, hasTime: Bool) {
    guard hasTime else { return marks.pointee.hasDays = true }
    // Nearly all are of the form of the one before.
    if text.count == marks.pointee.length, text[text.count - 1] == UInt8(ascii: "Z"),
      text[TimeForm.separatorPlace] == marks.pointee.separator
    {
      return
    }
    noteForm(of: text)
  }

  @inline(never)
  private func noteForm(of text: UnsafeBufferPointer<UInt8>) {
    marks.pointee.hasMoments = true
    guard !marks.pointee.isMixed else { return }
    guard let seen = TimeForm(of: text), let both = marks.pointee.form.map({ $0.united(with: seen) }) ?? seen
    else {
      (marks.pointee.isMixed, marks.pointee.length) = (true, -1)
      return
    }
    marks.pointee.form = both
    marks.pointee.length = both == seen && both.endsWithLetter ? text.count : -1
    marks.pointee.separator = text[TimeForm.separatorPlace]
  }

  /// Nil if none came.
  var form: ObservedJSONStyle.DateForm? {
    let marks = marks.pointee
    guard marks.hasMoments else { return marks.hasDays ? .date : nil }
    guard !marks.hasDays, !marks.isMixed, let form = marks.form else { return .time }
    return form.dateForm
  }
}

extension EntityPlan {
  /// How the dates of an attribute came; nil if none did, or the model says how they are written.
  fileprivate func datesSeen(ofAttribute index: Int) -> ObservedJSONStyle.DateForm? {
    forms.attributes[entity.index][index].seen?.form
  }

  /// The style of the keys that came for properties by convention; nil if these keys do not show it.
  fileprivate var keyStyle: ExportOptions.Keys? {
    var (camel, snake) = (0, 0)
    for (key, entry) in keys.used where !KeyMatch.Rank(rawValue: entry.rank).isAnnotation {
      let name: String
      switch entry.action {
      case .attribute: name = entity.attributes[Int(entry.index)].name
      case .relationship: name = relationships[Int(entry.index)].relationship.name
      case .ignore, .wrapper, .descend, .polymorphic, .linkKind: continue
      }
      // A name that is in snake case itself looks the same in both styles.
      guard key != name || Names.snakeCase(name) != name, Names.words(key).count > 1 else { continue }
      let hasCapitals = key.contains(where: \.isUppercase)
      if key.contains("_") {
        if !hasCapitals { snake += 1 }
      } else if hasCapitals, !key.contains("-") {
        camel += 1
      }
    }
    return camel == snake ? nil : camel > snake ? .camel : .snake
  }
}
