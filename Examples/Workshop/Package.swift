// swift-tools-version: 6.1
import PackageDescription

let store = Target.Dependency.product(name: "SnapshotStore", package: "SnapshotStore")

let package = Package(
  name: "Workshop",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "SnapshotStore", path: "../..")],
  targets: [
    .target(name: "WorkshopModel", dependencies: [store]),
    .executableTarget(
      name: "workshop",
      dependencies: [
        "WorkshopModel", store, .product(name: "SnapshotStoreTesting", package: "SnapshotStore"),
      ]),
    .executableTarget(
      name: "kiln",
      dependencies: ["WorkshopModel", store, .product(name: "SnapshotCommands", package: "SnapshotStore")]),
  ],
  swiftLanguageModes: [.v6]
)
