import Broker
import Foundation

// ComingFromSwiftSync.md

@Entity struct Project {
  var id: Int
  var name: String
  var projectDescription: String?
  var tickets: ToMany<Ticket>
}

@Entity struct Ticket {
  var id: Int
  var title: String
  var dueDate: Date?
  var project: ToOne<Project>?
  var watchers: ToMany<Member>
}

@Entity struct Member {
  @Identity var login: String
  var watched: ToMany<Ticket>
}

func importingProjects(_ data: Data, into store: Store) async throws -> Report {
  let report = try await store.import(data, as: Project.self)
  print(report.inserted, report.updated, report.unchanged)
  return report
}

func pruningProjects(_ data: Data, in store: Store) async throws -> Report {
  var options = ImportOptions()
  options.prunes = true
  options.maximumDeletions = .percent(20)
  let report = try await store.import(data, as: Project.self, options: options)
  return report
}

func pruningSomeProjects(_ data: Data, in store: Store) async throws -> Report {
  var options = ImportOptions()
  options.pruneCondition = try ObjectPredicate(format: "name BEGINSWITH %@", ["A"])
  let report = try await store.import(data, as: Project.self, options: options)
  return report
}

func importingTicketsOfAProject(_ data: Data, into store: Store) async throws -> Report {
  let project = try await store.find(Project.self, 1)
  let report = try await store.import(data, into: project.tickets, prune: true)
  return report
}

func importingATicket(_ data: Data, into store: Store) async throws -> ([Ticket], Report) {
  let (tickets, report) = try await store.importObjects(data, as: Ticket.self)
  return (tickets, report)
}

func insertingProjects(_ data: Data, into store: Store) async throws -> Report {
  var options = ImportOptions()
  options.operations = [.insert]  // what is there stays as it is
  let report = try await store.import(data, as: Project.self, options: options)
  return report
}

func tellingWhatWaits(_ report: Report) {
  for reference in report.pending { print(reference.relationship, reference.target, reference.key) }
}

func exportingAProject(_ project: Project, from store: Store) async throws -> Data {
  let body = try await store.export(project, relationships: .nested(depth: 1))
  return body
}

func followingTickets(of project: Project, in store: Store, _ show: ([Ticket]) -> Void) async throws {
  for try await tickets in store.observe(project.tickets.sorted(by: \.title)) { show(tickets) }
}
