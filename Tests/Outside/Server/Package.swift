// swift-tools-version: 6.1

import PackageDescription

// A web server over a store, as a user would write it: it depends on Broker as any package does.
let package = Package(
  name: "Server",
  platforms: [.macOS(.v15)],
  // Stores in PostgreSQL databases, for who builds this package with the trait.
  traits: [.trait(name: "PostgreSQL")],
  dependencies: [
    .package(
      name: "Broker", path: "../../..",
      traits: [.trait(name: "PostgreSQL", condition: .when(traits: ["PostgreSQL"]))]),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
  ],
  targets: [
    .target(
      name: "Catalogue",
      dependencies: [
        .product(name: "Broker", package: "Broker"),
        .product(name: "Hummingbird", package: "hummingbird"),
      ]),
    .executableTarget(
      name: "CatalogueServer",
      dependencies: [
        "Catalogue", .product(name: "Hummingbird", package: "hummingbird"),
      ]),
    .testTarget(
      name: "CatalogueTests",
      dependencies: [
        "Catalogue",
        .product(name: "Broker", package: "Broker"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
