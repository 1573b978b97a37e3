// swift-tools-version: 6.1

import PackageDescription

// The types of this program are made from Sources/Bands/Bands.model.yaml when it is built.
let package = Package(
  name: "Generated",
  platforms: [.macOS(.v15), .iOS(.v18)],
  // Stores in PostgreSQL databases, for who builds this package with the trait.
  traits: [.trait(name: "PostgreSQL")],
  dependencies: [
    .package(
      name: "Broker", path: "../..",
      traits: [.trait(name: "PostgreSQL", condition: .when(traits: ["PostgreSQL"]))])
  ],
  targets: [
    .executableTarget(
      name: "Bands",
      dependencies: [.product(name: "Broker", package: "Broker")],
      plugins: [.plugin(name: "BrokerTypes", package: "Broker")])
  ],
  swiftLanguageModes: [.v6]
)
