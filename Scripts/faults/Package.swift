// swift-tools-version: 6.1
import PackageDescription

/// The programs that Scripts/torture makes faults happen to are a package of its own, so that the library's stays as it is.
let package = Package(
  name: "faults",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "SnapshotStore", path: "../..")],
  targets: [
    .executableTarget(
      name: "fault-driver",
      dependencies: [
        .product(name: "SnapshotStore", package: "SnapshotStore"),
        .product(name: "SnapshotNotebook", package: "SnapshotStore"),
      ]),
    .executableTarget(
      name: "ending-driver",
      dependencies: [
        .product(name: "SnapshotStore", package: "SnapshotStore"),
        .product(name: "SnapshotNotebook", package: "SnapshotStore"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
