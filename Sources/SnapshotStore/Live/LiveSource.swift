/// One table of a store, as the source of live queries. It does not keep the store open.
struct LiveSource<Value: Record>: Sendable {
  typealias Watch = LiveWatch<Table<Value>, [RowEdit<Value>]>

  /// The identity of the store.
  let store: ObjectIdentifier
  let watch: Watch
  /// Returns the table and its revision.
  let latest: @Sendable () -> (table: Table<Value>, revision: Int)

  init<Root: Model>(_ store: Store<Root>, _ table: TableReadPath<Root, Value>) {
    let core = store.core
    self.store = ObjectIdentifier(core)
    latest = {
      let latest = core.latest
      return (latest.value[keyPath: table], latest.revision)
    }
    let make = { Self.makeWatch(store, table) }
    // A table that the schema does not name can be followed too, but its queries share no watch.
    let name = Root.schema.fields.first { $0.path == table }?.name
    watch = name.map { store.companions.companion("table \($0)", make: make) } ?? make()
  }

  private static func makeWatch<Root: Model>(_ store: Store<Root>, _ table: TableReadPath<Root, Value>) -> Watch {
    store.makeWatch { watch, changes in
      let (before, after) = (changes.before[keyPath: table], changes.after[keyPath: table])
      if before.isIdentical(to: after) { return }
      watch.tell(revision: changes.revision, before: before) { after.edits(from: before, limit: 64) }
    }
  }
}

extension Store {
  /// A watch that is notified of the commits of this store.
  func makeWatch<Base, Edits>(
    _ tell: @escaping @Sendable (LiveWatch<Base, Edits>, ChangeSet<Root>) -> Void
  ) -> LiveWatch<Base, Edits> {
    let watch = LiveWatch<Base, Edits> { [core] in core.latest.revision }
    let id = observers.add { [weak watch] changes in
      if let watch { tell(watch, changes) }
    } finish: { [weak watch] in
      watch?.finish()
    }
    if let id {
      watch.onDeinit { [weak observers] in observers?.remove(id) }
    } else {
      watch.finish()
    }
    return watch
  }
}
