import Foundation
import ObjectStore

extension PredicateExpressions.CollectionContainsCollection: Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    guard Base.Output.self == String.self, Other.Output.self == String.self else {
      throw QueryError.unsupported("contains(_:) of a list in \(Base.Output.self)")
    }
    let (text, part) = (try translator.value(base), try translator.value(other))
    return .condition(.comparison(PredicateComparison(text, .contains, part)))
  }
}

extension PredicateExpressions.SequenceStartsWith: Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    guard Base.Output.self == String.self, Prefix.Output.self == String.self else {
      throw QueryError.unsupported("starts(with:) of \(Base.Output.self)")
    }
    let (text, prefix) = (try translator.value(base), try translator.value(prefix))
    return .condition(.comparison(PredicateComparison(text, .beginsWith, prefix)))
  }
}

extension PredicateExpressions.StringContainsRegex: Translatable {
  func translation(_ translator: inout PredicateTranslator) throws -> Translation {
    guard case .captured(let value) = try translator.translate(regex),
      let pattern = value as? PredicateExpressions.PredicateRegex, Subject.Output.self == String.self
    else { throw QueryError.unsupported("contains(_:) of what is no regular expression") }
    let text = try translator.value(subject)
    return .condition(.comparison(PredicateComparison(text, .finds, .text(pattern.stringRepresentation))))
  }
}

// MARK: - Apple's platforms

#if canImport(Darwin)
  // Foundation has these functions only on these platforms.

  extension PredicateExpressions.StringLocalizedStandardContains: Translatable {
    /// Ignores case and accents, whatever the language.
    func translation(_ translator: inout PredicateTranslator) throws -> Translation {
      let (text, part) = (try translator.value(root), try translator.value(other))
      let options: TextOptions = [.ignoresCase, .ignoresDiacritics]
      return .condition(.comparison(PredicateComparison(text, .contains, part, options)))
    }
  }

  extension PredicateExpressions.StringCaseInsensitiveCompare: Translatable {
    /// -1, 0 or 1, as the raw values of `ComparisonResult` are.
    func translation(_ translator: inout PredicateTranslator) throws -> Translation {
      let (text, part) = (try translator.value(root), try translator.value(other))
      let isSame = PredicateNode.comparison(PredicateComparison(text, .equal, part, .ignoresCase))
      let isLess = PredicateNode.comparison(PredicateComparison(text, .less, part, .ignoresCase))
      let order = StoreExpression(.choice(isLess, .integer(-1), .integer(1)))
      return .value(StoreExpression(.choice(isSame, .integer(0), order)))
    }
  }

  extension StoreExpression {
    fileprivate static func integer(_ value: Int64) -> StoreExpression {
      StoreExpression(.constant(.stored(.integer(value), .integer64)))
    }
  }
#endif
