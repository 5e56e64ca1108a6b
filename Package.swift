// swift-tools-version: 6.1
import PackageDescription

/// One list of settings for every target: the next requirements of Swift are enabled today.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

// The privacy manifest is a resource only where Foundation is part of the system. SwiftPM generates code for resources
// that imports all of Foundation. On Linux every program would then load Foundation and ICU.
#if os(macOS)
  let resources: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
  let excluded: [String] = []
#else
  let resources: [Resource] = []
  let excluded = ["PrivacyInfo.xcprivacy"]
#endif

let package = Package(
  name: "SnapshotStore",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "SnapshotStore", targets: ["SnapshotStore"]),
    .library(name: "SnapshotNotebook", targets: ["SnapshotNotebook"]),
    .library(name: "SnapshotCommands", targets: ["SnapshotCommands"]),
    .library(name: "SnapshotStoreTesting", targets: ["SnapshotStoreTesting"]),
    .library(name: "SnapshotUI", targets: ["SnapshotUI"]),
    .executable(name: "snapshot-cli", targets: ["snapshot-cli"]),
  ],
  targets: [
    .target(name: "SnapshotFoundation", swiftSettings: settings),
    .systemLibrary(name: "CExtendedAttributes"),
    .target(
      name: "SnapshotSystem",
      dependencies: [.target(name: "CExtendedAttributes", condition: .when(platforms: [.linux]))],
      swiftSettings: settings),
    .target(
      name: "SnapshotStore", dependencies: ["SnapshotFoundation", "SnapshotSystem"], exclude: excluded,
      resources: resources, swiftSettings: settings),
    .target(name: "SnapshotUI", dependencies: ["SnapshotStore"], swiftSettings: settings),
    .target(
      name: "SnapshotFolders", dependencies: ["SnapshotFoundation", "SnapshotStore"], swiftSettings: settings),
    .target(
      name: "SnapshotNotebook", dependencies: ["SnapshotFolders", "SnapshotStore"], swiftSettings: settings),
    .target(name: "SnapshotCommands", dependencies: ["SnapshotStore"], swiftSettings: settings),
    .target(
      name: "SnapshotStoreTesting", dependencies: ["SnapshotFoundation", "SnapshotStore"], swiftSettings: settings),
    .executableTarget(
      name: "snapshot-cli", dependencies: ["SnapshotStore", "SnapshotCommands", "SnapshotNotebook"],
      swiftSettings: settings),
    // The shared code of tests is a test target too, so that it may use internal declarations. It has no tests.
    .testTarget(
      name: "TestSupport", dependencies: ["SnapshotStore", "SnapshotStoreTesting", "SnapshotSystem"],
      swiftSettings: settings),
    .testTarget(
      name: "NotebookTestSupport",
      dependencies: [
        "SnapshotFolders", "SnapshotStore", "SnapshotNotebook", "SnapshotStoreTesting", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "SnapshotStoreTests",
      dependencies: ["SnapshotStore", "SnapshotStoreTesting", "SnapshotSystem", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "SnapshotFoldersTests",
      dependencies: ["SnapshotFolders", "SnapshotStore", "SnapshotStoreTesting", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "SnapshotNotebookTests",
      dependencies: [
        "SnapshotStore", "SnapshotNotebook", "SnapshotStoreTesting", "TestSupport", "NotebookTestSupport",
      ],
      swiftSettings: settings),
    // The kernel's formats, merging and stores, tried on notes.
    .testTarget(
      name: "IntegrationTests",
      dependencies: [
        "SnapshotStore", "SnapshotNotebook", "SnapshotStoreTesting", "TestSupport", "NotebookTestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "SnapshotStoreTestingTests",
      dependencies: ["SnapshotStore", "SnapshotNotebook", "SnapshotStoreTesting", "TestSupport"],
      swiftSettings: settings),
    .testTarget(name: "SnapshotUITests", dependencies: ["SnapshotStore", "SnapshotUI"], swiftSettings: settings),
    .testTarget(
      name: "SnapshotCommandsTests",
      dependencies: ["SnapshotStore", "SnapshotCommands", "SnapshotStoreTesting", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "SnapshotCLITests",
      dependencies: ["SnapshotStore", "SnapshotCommands", "SnapshotNotebook", "snapshot-cli", "TestSupport"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
