"""The articles on following, searching, staging and importing."""

from . import LINE, OPEN, POST, example, posts
from ..pages import expect, types
from ..programs import Surroundings


@example("changes")
def changes(examples):
    # Runs on the main actor, so only when the loop waits.
    before = types(examples["dashboard"]) + OPEN + f"""
Task {{
  try store.write {{ try $0.posts.insert({POST}) }}
  try store.write {{ try $0.posts.update("1") {{ $0.body = "A run" }} }}
  try store.write {{ $0.posts.remove("1") }}
  try store.write {{ try $0.posts.insert(Post(id: "2", blogName: "b", body: "Rain", tags: [])) }}
  try await store.close()
}}
"""

    def check(folder, said):
        expect(said == "new: 1\nchanged: A walk → A run\ngone: 1\nnew: 2\n", said)
        expect([post["id"] for post in posts(folder)] == ["2"], posts(folder))
    return Surroundings(check, before=before)


@example("live")
def live(examples):
    before = types(examples["dashboard"]) + OPEN + f"""
@MainActor func show(_ list: LiveList<Post, String>) throws {{
  print(list.map(\\.body))
  try store.write {{ try $0.posts.insert({POST}) }}
}}
@MainActor func animate(_ batch: ListBatch<Post, String>) throws {{
  print(batch.inserts.map {{ batch.after[$0].body }})
  try store.closeAndWait()
}}
"""

    def check(folder, said):
        expect(said == '[]\n["A walk"]\n', said)
        expect([post["body"] for post in posts(folder)] == ["A walk"], posts(folder))
    return Surroundings(check, before=before)


THREE_POSTS = """
try store.write {
  try $0.posts.insert(Post(id: "1", blogName: "b", body: "A walk by the river", tags: ["paris", "walks"]))
  try $0.posts.insert(Post(id: "2", blogName: "b", body: "The Café by the RIVER", tags: []))
  try $0.posts.insert(Post(id: "3", blogName: "b", body: "A river bank", tags: ["cafe\u0301s"]))
}
"""


@example("search")
def search(examples):
    def check(_, said):
        expect(said == "3 river\n2 Café\n2 RIVER\n", said)
    return Surroundings(check, before=types(examples["dashboard"]) + OPEN + THREE_POSTS)


@example("pages")
def pages(examples):
    def check(_, said):
        expect(said == '["cafe\u0301s 3", "paris 1"]\n["walks 1"]\n', said)
    return Surroundings(check, before=types(examples["dashboard"]) + OPEN + THREE_POSTS)


@example("staging")
def staging(examples):
    def check(folder, _):
        expect(posts(folder) == [{"id": "1", "blogName": "Elsewhere", "body": "A long walk", "tags": ["paris"]}], posts(folder))
    return Surroundings(check, before=types(examples["dashboard"]) + OPEN + f"try store.write {{ try $0.posts.insert({POST}) }}\n")


@example("import")
def importing(examples):
    before = types(examples["dashboard"]) + OPEN.replace("let url", "let file").replace("at: url", "at: file")

    def check(folder, said):
        expect("2 posts so far" in said, said)
        expect([post["id"] for post in posts(folder)] == ["1", "2"], posts(folder))
    return Surroundings(check, before=before + 'let url = URL(filePath: "posts.ndjson")\n', files={"posts.ndjson": LINE % 1 + LINE % 2})
