/// What `citm_catalog.json` holds, as far as the tests compare it.
struct CatalogJSON: Decodable {
  let areaNames: [String: String]
  let audienceSubCategoryNames: [String: String]
  let events: [String: Event]
  let performances: [Performance]
  let seatCategoryNames: [String: String]
  let subTopicNames: [String: String]
  let topicNames: [String: String]
  let topicSubTopics: [String: [Int]]
  let venueNames: [String: String]

  struct Event: Decodable {
    let id: Int
    let name: String
    let logo: String?
    let topicIds: [Int]
    let subTopicIds: [Int]
  }

  struct Performance: Decodable {
    let id: Int
    let eventId: Int
    let start: Int
    let venueCode: String
    let prices: [Price]
    let seatCategories: [Seating]
  }

  struct Price: Decodable {
    let amount: Int
    let audienceSubCategoryId: Int
    let seatCategoryId: Int
  }

  struct Seating: Decodable {
    let seatCategoryId: Int
    let areas: [Area]
  }

  struct Area: Decodable {
    let areaId: Int
  }
}
