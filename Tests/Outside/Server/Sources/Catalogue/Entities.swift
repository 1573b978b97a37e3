import Broker
import Foundation

@Entity struct Category: Hashable, Codable {
  @Identity var code: String
  var title: String?
  @Relationship(inverse: "children") var parent: ToOne<Category>?
  @Relationship(inverse: "parent") var children: ToMany<Category>
  var products: ToMany<Product>
}

@Entity struct Product: Hashable, Codable {
  var id: Int
  @Attribute(indexed: true) var name: String
  @Attribute(minimum: 0) var price: Decimal
  var stock = 0
  var tags: [String] = []
  @Key("updated_at") var updatedAt: Date?
  @Relationship(inverse: \Category.products) var category: ToOne<Category>?
}
