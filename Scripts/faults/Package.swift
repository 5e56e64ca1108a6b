// swift-tools-version: 6.1
import PackageDescription

/// The programs in which Scripts/torture injects faults are a package of their own, so that the library's stays as it
/// is.
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
    .executableTarget(
      name: "sharing-driver", dependencies: [.product(name: "SnapshotStore", package: "SnapshotStore")]),
  ],
  swiftLanguageModes: [.v6]
)
