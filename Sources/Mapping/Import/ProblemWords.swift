import ObjectModel
import ObjectStore

/// Puts what the store reports in the words of issues.
struct ProblemWords {
  let plan: Plan

  /// Describes the problem in an issue.
  ///
  /// - Parameter entity: The entity of the object.
  func describe(_ reason: RowProblem.Reason, _ entity: EntityPlan, in issue: inout ImportIssue) {
    switch reason {
    case .missing, .unknownKind, .valueNotUnique, .notUnique, .missingLink, .deferred:
      describeObject(reason, entity, in: &issue)
    case .severalOwners, .needsOwner, .belongsToAnother, .pruneWithheld: describeList(reason, in: &issue)
    case .deletionDenied, .deletionLeavesWithout, .deletionTakesListed, .deletionTakesUnsent:
      describeDeletion(reason, in: &issue)
    case .attributeNotKept(let attribute, let limit):
      let key = entity.keyName(ofAttribute: attribute)
      issue.key = key
      issue.path += JSONPath.step(key)
      let isIdentity = entity.entity.identityAttributes.contains(attribute)
      describe(limit, isIdentity ? "object skipped" : "value left out", in: &issue)
    case .linkNotKept(let relationship, let limit):
      name(plan.layout.schema.relationships[relationship], in: &issue)
      describe(limit, "left out", in: &issue)
    case .scopeWithheld(let entities):
      let names = entities.prefix(3).map { plan.entities[$0].entity.name }
      let rest = entities.count - names.count
      issue.entity = names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
      issue.expected = "objects that all can be used, so that what is missing can be deleted"
      issue.found = "some that cannot"
      issue.action = "nothing pruned"
    case .tooManyDeletions(let entity, let count, let most):
      issue.entity = plan.entities[entity].entity.name
      issue.expected = "at most \(most) to be deleted"
      issue.found = "\(count)"
      issue.action = "nothing pruned"
    }
  }

  /// What the database does not keep.
  private func describe(_ limit: ValueLimit, _ action: String, in issue: inout ImportIssue) {
    issue.action = action
    switch limit {
    case .zero:
      issue.expected = "a text without U+0000, which the server does not keep"
      issue.found = "one with it"
    case .fraction:
      issue.expected = "at most six digits of a second, which the server keeps"
      issue.found = "more"
      issue.action = "the others cut off"
    case .identity(let bytes):
      issue.expected = "an identity of at most 2,600 bytes, which the server keeps"
      issue.found = "\(bytes) bytes"
    }
  }

  /// Problems that keep an object, or some of its values, from being written.
  private func describeObject(
    _ reason: RowProblem.Reason, _ entity: EntityPlan, in issue: inout ImportIssue
  ) {
    switch reason {
    case .missing(let attribute):
      let key = entity.keyName(ofAttribute: attribute)
      issue.key = key
      issue.path += JSONPath.step(key)
      issue.expected = entity.attributes[attribute].conversion.expectation
      issue.found = "nothing"
    case .unknownKind:
      issue.expected = "an object of a sub-entity of \(entity.entity.name)"
      issue.found = "an object that does not say which"
    case .valueNotUnique(let columns):
      issue.expected = "values that no other object has"
      issue.found = "another with the same \(columns)"
      issue.action = "values left out"
    case .notUnique(let columns):
      issue.expected = "values that no other object has"
      issue.found = "another with the same \(columns)"
    case .missingLink(let relationship):
      let missing = plan.layout.schema.relationships[relationship]
      name(missing, in: &issue)
      issue.expected = plan.entities[missing.destination].entity.name
      issue.found = "nothing"
    default: break
    }
  }

  private func describeList(_ reason: RowProblem.Reason, in issue: inout ImportIssue) {
    switch reason {
    case .severalOwners(let relationship, let count):
      issue.expected = "each \(target(of: relationship, in: &issue)) with one owner, as the model has it"
      issue.identity = nil
      issue.found = "\(count) with several"
      issue.action = "the last owner was kept; if they may have several, make the relationship many-to-many"
    case .needsOwner(let relationship, let key):
      let target = target(of: relationship, in: &issue)
      issue.expected = "\(target) \(key) in the list, since it cannot be without its owner"
      issue.found = "a list without it"
      issue.action = "kept its owner"
    case .belongsToAnother(let relationship, let key):
      issue.expected = "a \(target(of: relationship, in: &issue)) whose identity names this object"
      issue.found = "\(key), which belongs to another"
      issue.action = "not put into the list"
    case .pruneWithheld(let relationship, let key):
      issue.expected = "\(target(of: relationship, in: &issue)) \(key) in the list"
      issue.found = "a list without it, and objects that could not be used"
      issue.action = "not deleted"
    default: break
    }
  }

  private func describeDeletion(_ reason: RowProblem.Reason, in issue: inout ImportIssue) {
    func describe(_ key: String, _ found: String) {
      issue.expected = "\(key) to be deleted"
      issue.found = found
      issue.action = "not deleted"
    }
    func name(_ relationship: Int) -> String { plan.layout.schema.relationships[relationship].name }
    switch reason {
    case .deletionDenied(let relationship, let key):
      describe(key, plan.layout.schema.relationships[relationship].denial)
    case .deletionLeavesWithout(let relationship, let key, let entity, let holder):
      let holding = plan.entities[entity].entity.name
      describe(key, "\(holding) \(holder), which requires it as its \(name(relationship))")
    case .deletionTakesListed(let relationship, let key):
      describe(key, "objects in its \(name(relationship)) that the JSON has and that would go with it")
    case .deletionTakesUnsent(let relationship, let key):
      describe(key, "objects in its \(name(relationship)) with local changes that would go with it")
    default: break
    }
  }

  /// The entity that a list leads to. The issue names the list.
  private func target(of relationship: Int, in issue: inout ImportIssue) -> String {
    let list = plan.layout.schema.relationships[relationship]
    name(list, in: &issue)
    return plan.entities[list.destination].entity.name
  }

  /// Says which relationship an issue is about, by what JSON calls it: its first key, or its name.
  private func name(_ relationship: SchemaRelationship, in issue: inout ImportIssue) {
    let key = relationship.relationship.annotations.keys.first ?? relationship.name
    issue.key = key
    issue.path += JSONPath.step(key)
  }
}

extension SchemaRelationship {
  /// The targets that keep an object from being deleted, in words.
  package var denial: String {
    "\(isToMany ? "objects in its" : "an object as its") \(name), whose delete rule is deny"
  }
}
