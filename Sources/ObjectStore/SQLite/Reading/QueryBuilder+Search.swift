import ObjectModel

/// Words that are looked for.
extension QueryBuilder {
  /// Only objects that words are found in. Those that all searches of the query fit best come first, unless it has
  /// another order.
  ///
  /// - Throws: ``StoreError`` if an attribute is not searched, or the search is too long.
  mutating func add(_ condition: SearchCondition) throws {
    isSearch = true
    let paths = try condition.attributes.map { name in
      do throws(PropertyPath.Failure) {
        return try PropertyPath(name.split(separator: ".").map(String.init), from: entity, layout)
      } catch {
        throw StoreError.invalid(error.message(name.split(separator: ".").map(String.init), layout))
      }
    }
    var columns: [Column] = []
    for path in paths {
      guard path.passed.isEmpty, case .attribute(let index, let owner) = path.end else {
        return try addRelated(condition)
      }
      columns.append(layout.column(of: index, in: owner))
    }
    do {
      let (table, expression) = try layout.search(SearchText(condition.text), in: columns, of: entity)
      guard let expression else { return conditions.append("0") }
      search = QuerySearch(table: table, expressions: (search?.expressions ?? []) + [expression])
    } catch let error as SearchRefusal {
      throw StoreError.invalid(error.message)
    } catch let error as SearchText.Failure {
      throw StoreError.invalid(error.message)
    }
  }

  /// As ``add(_:)-(SearchCondition)``, in attributes some of which are of related objects. These have no rank.
  private mutating func addRelated(_ condition: SearchCondition) throws {
    let comparisons = condition.attributes.map { name in
      let path = name.split(separator: ".").reduce(PredicatePath()) { $0.appending(String($1)) }
      return PredicateNode.comparison(
        PredicateComparison(
          PredicateExpression(.path(path)), .matchesText,
          PredicateExpression(.constant(.string(condition.text)))))
    }
    do throws(ObjectPredicateError) {
      try add(ObjectPredicate(.or(comparisons)))
    } catch {
      throw StoreError.invalid(error.message)
    }
  }

  /// SQL for how well each object fits what is searched for, the least the best. To be selected by
  /// ``statement(selecting:isOrdered:)``.
  mutating func rank() -> String {
    guard search != nil else { return "0.0" }
    needsRank = true
    return QuerySearch.rank
  }

  /// Ordered by how well objects fit what is searched for, after the orders before.
  ///
  /// - Throws: ``StoreError`` if nothing is searched for.
  mutating func addRankOrder() throws {
    guard isSearch else {
      throw StoreError.invalid("Nothing is searched for, so there is no order by how well it is found.")
    }
    ordering.append(rank())
  }
}
