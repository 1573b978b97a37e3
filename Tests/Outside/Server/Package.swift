// swift-tools-version: 6.1

import PackageDescription

// A web server over a store, as a user would write it: it depends on Broker as any package does.
let package = Package(
  name: "Server",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Broker", path: "../../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
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
        .product(name: "HummingbirdTesting", package: "hummingbird"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
