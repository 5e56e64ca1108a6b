import SnapshotStore

struct Book: Record {
  let id: Int
  var title: String
  var isRead = false
}
