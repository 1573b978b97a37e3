// swift-tools-version: 6.1

import CompilerPluginSupport
import PackageDescription

let package = Package(
  name: "Broker",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Broker", targets: ["Broker"]),
    // The same without macros, for those who do not want to build swift-syntax.
    .library(name: "BrokerCore", targets: ["BrokerCore"]),
    // Property wrappers and observable values for SwiftUI.
    .library(name: "BrokerSwiftUI", targets: ["BrokerSwiftUI"]),
    // Models from JSON, for programs that have none of their own.
    .library(name: "BrokerInference", targets: ["Inference"]),
    .executable(name: "broker", targets: ["BrokerCommand"]),
    .plugin(name: "BrokerTypes", targets: ["BrokerTypes"]),
  ],
  traits: [
    .trait(name: "PostgreSQL", description: "Stores in PostgreSQL databases. It needs libpq and its headers.")
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
    .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.1"..<"604.0.0"),
  ],
  targets: [
    // The layers, lowest first. Each depends only on those above it in this list.
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"]), .yum(["zlib-devel"]), .brew(["zlib"])]),
    // What of SQLite's interface Swift cannot call.
    .systemLibrary(
      name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .yum(["sqlite-devel"]), .brew(["sqlite"])]),
    .target(name: "Bytes"),
    .target(name: "JSONStream", dependencies: ["Bytes", "CZlib"]),
    .target(
      name: "ObjectModel", dependencies: ["JSONStream", .product(name: "Yams", package: "Yams")]),
    .target(
      name: "ObjectStore",
      dependencies: [
        "Bytes", "CSQLite", "ObjectModel",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]),
    // Connections to PostgreSQL servers. Without the trait it is empty, and libpq is not needed.
    .systemLibrary(
      name: "CLibPQ", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .yum(["libpq-devel"]), .brew(["libpq"])]),
    .target(
      name: "PostgreSQLClient",
      dependencies: [.target(name: "CLibPQ", condition: .when(traits: ["PostgreSQL"]))]),
    // A copy of the rows that a transaction is about, and a writer that changes them by the rules of imports.
    .target(name: "UnitOfWork", dependencies: ["Bytes", "JSONStream", "ObjectModel", "ObjectStore"]),
    // Stores in PostgreSQL databases. Without the trait it is empty.
    .target(
      name: "PostgreSQLStore",
      dependencies: [
        "Bytes", "ObjectModel", "ObjectStore", "PostgreSQLClient",
        .target(name: "UnitOfWork", condition: .when(traits: ["PostgreSQL"])),
      ]),
    // Opens a store by the engine that keeps it.
    .target(name: "Stores", dependencies: ["ObjectModel", "ObjectStore", "PostgreSQLStore"]),
    .target(name: "Mapping", dependencies: ["Bytes", "JSONStream", "ObjectModel", "ObjectStore"]),
    // Models as Swift types.
    .target(name: "SwiftForm", dependencies: ["JSONStream", "ObjectModel"]),
    // The program that the plugin runs: it is built for each app with the plugin, so it has no more than it needs.
    .executableTarget(name: "ModelTypes", dependencies: ["ObjectModel", "SwiftForm"]),
    // Models in other forms: diagrams, SQL; and models from the schemas of others.
    .target(
      name: "ModelForms",
      dependencies: ["JSONStream", "ObjectModel", "ObjectStore", .product(name: "Yams", package: "Yams")]),
    // Models and mappings that JSON suggests.
    .target(
      name: "Inference", dependencies: ["Bytes", "JSONStream", "Mapping", "ObjectModel", "ObjectStore"]),
    .target(
      name: "BrokerCore",
      dependencies: [
        "Bytes", "JSONStream", "Mapping", "ObjectModel", "ObjectStore", "Stores",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    // What `@Entity` expands to: it runs in the compiler and is no part of an app.
    .macro(
      name: "BrokerMacros",
      dependencies: [
        .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
        .product(name: "SwiftDiagnostics", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
      ]),
    // What an app imports. Only the macros are its own.
    .target(name: "Broker", dependencies: ["BrokerCore", "BrokerMacros"]),
    // The product for apps with SwiftUI, beside Broker. Its content is compiled only where SwiftUI is.
    .target(name: "BrokerSwiftUI", dependencies: ["BrokerCore"]),
    // The arguments of the process where Swift cannot read them: without /proc.
    .target(name: "CCommandLine"),
    .executableTarget(
      name: "BrokerCommand",
      dependencies: [
        "CCommandLine", "Inference", "JSONStream", "Mapping", "ModelForms", "ObjectModel", "ObjectStore",
        "Stores", "SwiftForm",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    // Makes Swift types of the models among a target's files, whenever these change.
    .plugin(name: "BrokerTypes", capability: .buildTool(), dependencies: ["ModelTypes"]),
    // The program of the README.
    .executableTarget(name: "BandsExample", dependencies: ["Broker"], path: "Examples/Swift"),

    .testTarget(name: "JSONStreamTests", dependencies: ["CZlib", "JSONStream", "TestSettings"]),
    // Writes Core Data's archives and stores, by their descriptions, for the tests that read them.
    .target(
      name: "CoreDataMaker",
      dependencies: [
        "CZlib", "ObjectModel", "TestSettings", .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      path: "Tests/CoreDataMaker"),
    .testTarget(
      name: "ObjectModelTests", dependencies: ["CoreDataMaker", "JSONStream", "ObjectModel", "TestSettings"]),
    .testTarget(
      name: "ObjectStoreTests",
      dependencies: [
        "Bytes", "ObjectModel", "ObjectStore", "PostgreSQLClient", "PostgreSQLServer", "PostgreSQLStore",
        "TestSettings",
      ]),
    // What the environment says of how tests run: how many seeds, and with which engine.
    .target(name: "TestSettings", path: "Tests/TestSettings"),
    // A second engine, in memory, that the tests of imports and exports run on as well.
    .target(
      name: "MemoryEngine", dependencies: ["Bytes", "ObjectModel", "ObjectStore", "UnitOfWork"],
      path: "Tests/MemoryEngine"),
    // Starts a PostgreSQL server for the tests, where one is installed.
    .target(name: "PostgreSQLServer", dependencies: ["PostgreSQLClient"], path: "Tests/PostgreSQLServer"),
    .testTarget(
      name: "PostgreSQLClientTests",
      dependencies: ["PostgreSQLClient", "PostgreSQLServer", "TestSettings"]),
    .testTarget(
      name: "MappingTests",
      dependencies: [
        "Bytes", "JSONStream", "Mapping", "MemoryEngine", "ObjectModel", "ObjectStore", "PostgreSQLClient",
        "PostgreSQLServer", "PostgreSQLStore", "TestSettings",
      ]),
    .testTarget(
      name: "CoreDataStoreTests",
      dependencies: [
        "CoreDataMaker", "JSONStream", "Mapping", "ObjectModel", "ObjectStore",
        "TestSettings", .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "InferenceTests",
      dependencies: ["Inference", "JSONStream", "Mapping", "ObjectModel", "ObjectStore", "TestSettings"],
      resources: [.copy("APIs"), .copy("Samples")]),
    .testTarget(
      name: "ModelFormsTests",
      dependencies: ["JSONStream", "ModelForms", "ObjectModel", "ObjectStore", "SwiftForm", "TestSettings"]),
    .testTarget(
      name: "BrokerTests",
      dependencies: [
        "Broker", "BrokerCore", "PostgreSQLServer", "TestSettings",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      exclude: ["Released/Stores"]),
    .testTarget(name: "BrokerSwiftUITests", dependencies: ["Broker", "BrokerSwiftUI"]),
    // Programs whose own types have the names of Broker's.
    .testTarget(name: "NamesTests", dependencies: ["Broker"]),
    // All that the documentation shows, and whether it shows it as it is there.
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "BandsExample", "Broker", "BrokerSwiftUI", "Inference", .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "BrokerCommand", "CoreDataMaker", "ObjectModel", "PostgreSQLClient", "PostgreSQLServer",
        "TestSettings",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "RealDataTests",
      dependencies: [
        "Inference", "Mapping", "ModelForms", "ObjectModel", "ObjectStore",
        "TestSettings", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      resources: [.copy("Models")]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system && target.type != .plugin {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
