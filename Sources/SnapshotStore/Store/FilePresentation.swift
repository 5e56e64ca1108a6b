#if canImport(ObjectiveC)
  import SnapshotFoundation

  /// A store's part in the coordination of files on Apple's systems, for as long as this object exists.
  ///
  /// ```swift
  /// let store = try Store<Notebook>.open(at: url, options: StoreOptions(externalChanges: .merge))
  /// let presentation = store.presentFile()
  /// ```
  ///
  /// Use it for a file in a folder of iCloud, or one that other programs open with file coordination:
  ///
  /// - Before another program reads or replaces the file, the store saves its changes.
  /// - The store saves in turns that the system gives it. After five seconds without a turn it saves all the same.
  /// - A change of the file, and a conflict version of iCloud, are handled as ``StoreOptions/externalChanges`` says. A
  ///   version is resolved when its content is durable, in the file or in a file beside it.
  ///
  /// The store stays at its path if another program moves the file. Nothing has run on Apple's systems yet.
  public final class FilePresentation: Sendable {
    private let presenter: Presenter

    init(_ url: URL, _ presence: FilePresence) {
      presenter = Presenter(url, presence)
      NSFileCoordinator.addFilePresenter(presenter)
      presence.takeTurns { [weak presenter, url] in CoordinatedTurn(url, presenter) }
      presenter.presentedItemOperationQueue.addOperation { [presenter] in presenter.mergeVersions() }
    }

    deinit {
      NSFileCoordinator.removeFilePresenter(presenter)
      presenter.presence.takeTurns(nil)
    }
  }

  extension Store {
    /// Takes part in the coordination of files until the returned object is deallocated. Nil for a store in memory.
    public func presentFile() -> FilePresentation? { url.map { FilePresentation($0, FilePresence(of: self)) } }
  }

  /// The object that the system asks. Its queue runs one request at a time, on a thread that may wait.
  private final class Presenter: NSObject, NSFilePresenter, Sendable {
    let presentedItemURL: URL?
    let presentedItemOperationQueue = OperationQueue()
    let presence: FilePresence

    init(_ url: URL, _ presence: FilePresence) {
      presentedItemURL = url
      self.presence = presence
      presentedItemOperationQueue.maxConcurrentOperationCount = 1
      super.init()
    }

    func savePresentedItemChanges(completionHandler: @escaping ((any Error)?) -> Void) {
      completionHandler(presence.saveChanges())
    }

    func presentedItemDidChange() { presence.itemDidChange() }

    func presentedItemDidGain(_ version: NSFileVersion) { mergeVersions() }

    func mergeVersions() {
      guard let url = presentedItemURL else { return }
      let versions = NSFileVersion.unresolvedConflictVersionsOfItem(at: url) ?? []
      presence.mergeVersions(versions.map(SystemVersion.init))
    }
  }

  private struct SystemVersion: ConflictVersion {
    let version: NSFileVersion

    var url: URL { version.url }

    func resolve() throws {
      version.isResolved = true
      try version.remove()
    }
  }

  private final class CoordinatedTurn: FileTurn {
    private let url: URL
    // One thread coordinates. Others only cancel, which the system allows from any thread.
    private nonisolated(unsafe) let coordinator: NSFileCoordinator

    init(_ url: URL, _ presenter: Presenter?) {
      self.url = url
      coordinator = NSFileCoordinator(filePresenter: presenter)
    }

    func run(_ body: () -> Void) {
      coordinator.coordinate(writingItemAt: url, options: .forReplacing, error: nil) { _ in body() }
    }

    func cancel() { coordinator.cancel() }
  }
#endif
