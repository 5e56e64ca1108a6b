// swift-tools-version: 6.1
import PackageDescription

/// The benchmarks are a package of their own, so that the library itself never has a dependency.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "snapshot-bench", targets: ["snapshot-bench"])],
  dependencies: [
    .package(name: "SnapshotStore", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
  ],
  targets: [
    .executableTarget(
      name: "snapshot-bench",
      dependencies: [
        .product(name: "SnapshotStore", package: "SnapshotStore"),
        .product(name: "SnapshotNotebook", package: "SnapshotStore"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
