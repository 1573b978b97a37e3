import Broker
import Foundation

extension PredicateCase {
  static let all = attributes + nulls + numbers + texts + links + lists

  static let attributes: [PredicateCase] = {
    var cases: [PredicateCase] = []
    cases.append(.init("integer ==", #Predicate { $0.plays == 1000 }))
    cases.append(.init("integer !=", #Predicate { $0.plays != 1000 }))
    cases.append(.init("integer <", #Predicate { $0.plays < 0 }))
    cases.append(.init("integer >=", #Predicate { $0.plays >= 7 }))
    cases.append(.init("constant on the left", #Predicate { 7 < $0.plays }))
    let most = Int.max
    cases.append(.init("Int.max", #Predicate { $0.plays == most }))
    let odd = 1 << 53 + 1
    cases.append(.init("beyond a Double's digits", #Predicate { $0.plays == odd }))
    let level = Int16.max
    cases.append(.init("Int16", #Predicate { $0.level == level }))
    cases.append(.init("Double", #Predicate { $0.length > 1 }))
    cases.append(.init("Double and not a tenth", #Predicate { $0.length == 0.1 }))
    let infinity = Double.infinity
    cases.append(.init("infinity", distinguishes: false, #Predicate { $0.length < infinity }))
    let pitch: Float = 0.1
    cases.append(.init("Float", #Predicate { $0.pitch == pitch }))
    cases.append(.init("boolean", #Predicate { $0.isLive }))
    cases.append(.init("not boolean", #Predicate { !$0.isLive }))
    cases.append(.init("boolean == false", #Predicate { $0.isLive == false }))
    let isRemix: Bool? = false
    cases.append(.init("optional boolean", #Predicate { $0.isRemix == isRemix }))
    let day = TrackStore.day
    cases.append(.init("date", #Predicate { $0.released == day }))
    let wild: Mood? = .wild
    cases.append(.init("enumeration", #Predicate { $0.mood == wild }))
    cases.append(.init("enumeration !=", #Predicate { $0.mood != wild }))
    cases.append(.init("raw value", #Predicate { $0.mood?.rawValue == "calm" }))
    let high = Grade.high
    cases.append(.init("enumeration of integers", #Predicate { $0.grade == high }))
    let code = TrackStore.code
    cases.append(.init("UUID", #Predicate { $0.code == code }))
    let page = URL(string: "https://example.org/w")
    cases.append(.init("URL", #Predicate { $0.page == page }))
    cases.append(.init("URL as text", #Predicate { $0.page?.absoluteString == "mailto:a@b" }))
    let cover: Data? = Data([0, 1, 255])
    cases.append(.init("Data", #Predicate { $0.cover == cover }))
    let empty: Data? = Data()
    cases.append(.init("empty Data", #Predicate { $0.cover == empty }))
    let price = Decimal(string: "1000000000000000000000.01")
    cases.append(.init("Decimal", #Predicate { $0.price == price }))
    cases.append(.init("always", distinguishes: false, Predicate.true))
    cases.append(.init("never", distinguishes: false, Predicate.false))
    return cases
  }()

  static let nulls: [PredicateCase] = {
    var cases: [PredicateCase] = []
    cases.append(.init("== nil", #Predicate { $0.position == nil }))
    cases.append(.init("!= nil", #Predicate { $0.position != nil }))
    let none: Int? = nil
    cases.append(.init("== a nil that is brought along", #Predicate { $0.position == none }))
    cases.append(.init("JSON == nil", #Predicate { $0.words == nil }))
    cases.append(.init("nil == nil", distinguishes: false, #Predicate<Track> { _ in none == none }))
    cases.append(.init("optional == value", #Predicate { $0.position == 6 }))
    cases.append(.init("optional != value", #Predicate { $0.position != 6 }))
    cases.append(.init("not (optional == value)", #Predicate { !($0.position == 6) }))
    cases.append(.init("text != value", #Predicate { $0.subtitle != "a" }))
    cases.append(.init("?? and order", #Predicate { ($0.position ?? 0) > 1 }))
    cases.append(.init("not ?? and order", #Predicate { !(($0.position ?? 0) > 1) }))
    cases.append(.init("?? of booleans", #Predicate { $0.isRemix ?? false }))
    cases.append(.init("?? and true", #Predicate { $0.isRemix ?? true }))
    cases.append(.init("?? of attributes", #Predicate { ($0.position ?? $0.plays) < 3 }))
    cases.append(.init("flatMap and order", #Predicate { $0.position.flatMap { $0 > 1 } == true }))
    cases.append(.init("flatMap is false", #Predicate { $0.position.flatMap { $0 > 1 } == false }))
    cases.append(.init("flatMap is nil", #Predicate { $0.position.flatMap { $0 > 1 } == nil }))
    cases.append(.init("flatMap to a constant", #Predicate { $0.position.flatMap { _ in 3 } == 3 }))
    // swift-format-ignore: NeverForceUnwrap
    cases.append(.init("guarded unwrapping", #Predicate { $0.position != nil && $0.position! > 1 }))
    // swift-format-ignore: NeverForceUnwrap
    cases.append(.init("guarded by or", #Predicate { $0.position == nil || $0.position! > 1 }))
    cases.append(.init("two attributes ==", #Predicate { ($0.isRemix ?? true) == $0.isLive }))
    cases.append(.init("two attributes !=", #Predicate { ($0.isRemix ?? true) != $0.isLive }))
    cases.append(.init("optional attributes ==", #Predicate { $0.position == $0.original?.position }))
    cases.append(.init("optional attributes !=", #Predicate { $0.position != $0.original?.position }))
    cases.append(.init("conditions ==", #Predicate { ($0.position == nil) == ($0.subtitle == nil) }))
    cases.append(.init("ternary", #Predicate { $0.isLive ? $0.plays > 5 : $0.position == nil }))
    cases.append(.init("ternary of values", #Predicate { ($0.isLive ? $0.position : nil) == 0 }))
    cases.append(.init("not not", #Predicate { !(!($0.position == 0)) }))
    let known: Int? = 4
    cases.append(.init("?? of a constant", #Predicate { $0.plays > known ?? 0 }))
    return cases
  }()

  static let numbers: [PredicateCase] = {
    var cases: [PredicateCase] = []
    cases.append(.init("+", #Predicate { ($0.position ?? 0) + 1 == 1 }))
    cases.append(.init("-", #Predicate { 2 - ($0.position ?? 5) > 0 }))
    cases.append(.init("*", #Predicate { $0.length * 2 > 4.9 }))
    cases.append(.init("unary -", #Predicate { -$0.length > 0 }))
    cases.append(.init("whole /", #Predicate { $0.plays / 7 == 0 }))
    cases.append(.init("whole / of negatives", #Predicate { $0.plays / -3 == 1 }))
    cases.append(.init("%", #Predicate { $0.plays % 4 == -3 }))
    cases.append(.init("%, positive", #Predicate { $0.plays % 3 == 1 }))
    cases.append(.init("/", #Predicate { $0.length / 4 == 0.625 }))
    cases.append(.init("/ zero", #Predicate { 1 / $0.length > 1e9 }))
    cases.append(.init("zero / zero", #Predicate { $0.length / $0.length == 1 }))
    cases.append(.init("not zero / zero", #Predicate { $0.length / $0.length != 1 }))
    cases.append(.init("to infinity", #Predicate { $0.length * 1e300 > 1e308 }))
    let tenth: Float = 0.1
    let sum: Float = 0.1 + 0.1
    cases.append(.init("Float +", #Predicate { $0.pitch + tenth == sum }))
    let one: Float = 1
    cases.append(.init("Float's precision", #Predicate { $0.pitch + one == $0.pitch }))
    cases.append(.init("closed range", #Predicate { (0...6).contains($0.plays) }))
    cases.append(.init("range", #Predicate { (0..<7).contains($0.plays) }))
    cases.append(.init("range of an attribute", #Predicate { ($0.plays...$0.plays).contains(7) }))
    let range = 0..<8
    cases.append(.init("a range that is brought along", #Predicate { range.contains($0.plays) }))
    let from = 7...
    cases.append(.init("a range without end", #Predicate { from.contains($0.plays) }))
    let before = TrackStore.day
    cases.append(.init("dates in order", #Predicate { ($0.released ?? before) < before }))
    let prices: ClosedRange<Decimal> = -1...10
    let free: Decimal = 100
    cases.append(.init("range of decimals", #Predicate { prices.contains($0.price ?? free) }))
    cases.append(.init("decimals in order", #Predicate { ($0.price ?? free) < free }))
    let code = UUID(uuidString: "55555555-0000-0000-0000-000000000000") ?? UUID()
    cases.append(.init("UUIDs in order", #Predicate { ($0.code ?? code) > code }))
    let numbers = [0, 7, Int.max]
    cases.append(.init("contains", #Predicate { numbers.contains($0.plays) }))
    let set: Set<Int?> = [nil, 6]
    cases.append(.init("contains, nil among them", #Predicate { set.contains($0.position) }))
    cases.append(.init("does not contain", #Predicate { !set.contains($0.position) }))
    let nothing: [Int] = []
    cases.append(.init("nothing contains", distinguishes: false, #Predicate { nothing.contains($0.plays) }))
    let long = Array(-5000...5000)
    cases.append(.init("a long list contains", #Predicate { long.contains($0.plays) }))
    cases.append(.init("one of a list", #Predicate { track in numbers.contains { $0 < track.plays } }))
    cases.append(.init("all of a list", #Predicate { track in numbers.allSatisfy { $0 >= track.plays } }))
    let moods: [Mood?] = [.calm, nil]
    cases.append(.init("contains an enumeration", #Predicate { moods.contains($0.mood) }))
    return cases
  }()
}
