// swift-tools-version: 6.1

import PackageDescription

let parser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")

// `broker` is measured as its users run it, as a process; what a program does with the package, in one.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "bench", targets: ["Bench"]),
    .executable(name: "bench-data", targets: ["BenchData"]),
    .executable(name: "bench-floor", targets: ["BenchFloor"]),
    .executable(name: "bench-records", targets: ["BenchRecords"]),
    .executable(name: "bench-swift", targets: ["BenchSwift"]),
  ],
  dependencies: [
    .package(name: "Broker", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
  ],
  targets: [
    .target(name: "BenchmarkData"),
    .executableTarget(name: "BenchData", dependencies: ["BenchmarkData", parser]),
    .executableTarget(name: "BenchFloor", dependencies: ["BenchmarkData", sqlite, parser]),
    .executableTarget(
      name: "BenchRecords", dependencies: [.product(name: "GRDB", package: "GRDB.swift"), parser]),
    .executableTarget(
      name: "BenchSwift",
      dependencies: [
        .product(name: "Broker", package: "Broker"), .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .executableTarget(name: "Bench", dependencies: [sqlite, parser]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
