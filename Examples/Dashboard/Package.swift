// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Dashboard",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "SnapshotStore", path: "../..")],
  targets: [
    .executableTarget(
      name: "dashboard", dependencies: [.product(name: "SnapshotStore", package: "SnapshotStore")])
  ],
  swiftLanguageModes: [.v6]
)
