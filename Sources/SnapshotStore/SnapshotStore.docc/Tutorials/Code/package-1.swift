// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "reading",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Or by url: the address that you cloned it from.
    .package(name: "SnapshotStore", path: "../SnapshotStore")
  ],
  targets: [
    .executableTarget(
      name: "reading",
      dependencies: [.product(name: "SnapshotStore", package: "SnapshotStore")])
  ]
)
