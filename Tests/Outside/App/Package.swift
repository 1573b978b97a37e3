// swift-tools-version: 6.1

import PackageDescription

// A client of a forge's API, as a user would write it: it depends on Broker as any package does.
let package = Package(
  name: "App",
  platforms: [.macOS(.v15), .iOS(.v18)],
  // Stores in PostgreSQL databases, for who builds this package with the trait.
  traits: [.trait(name: "PostgreSQL")],
  dependencies: [
    .package(
      name: "Broker", path: "../../..",
      traits: [.trait(name: "PostgreSQL", condition: .when(traits: ["PostgreSQL"]))])
  ],
  targets: [
    .target(name: "Forge", dependencies: [.product(name: "Broker", package: "Broker")]),
    .testTarget(name: "ForgeTests", dependencies: ["Forge", .product(name: "Broker", package: "Broker")]),
  ],
  swiftLanguageModes: [.v6]
)
