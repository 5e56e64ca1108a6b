// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Dashboard",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "SnapshotStore", path: "../..")],
  targets: [
    .target(name: "DashboardModel", dependencies: [.product(name: "SnapshotStore", package: "SnapshotStore")]),
    .executableTarget(
      name: "dashboard",
      dependencies: ["DashboardModel", .product(name: "SnapshotStore", package: "SnapshotStore")]),
    .executableTarget(
      name: "dash",
      dependencies: [
        "DashboardModel", .product(name: "SnapshotStore", package: "SnapshotStore"),
        .product(name: "SnapshotCommands", package: "SnapshotStore"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
