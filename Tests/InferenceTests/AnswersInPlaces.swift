/// Answers in which objects say something that holds only where they stand, or are named by keys that say little.
extension AnswerTests {
  static let inPlaces = [
    Answer(
      testDescription: "players who have a rating in each game",
      files: [
        "games.json":
          #"{"games": [{"url": "https://x.org/g/1", "uuid": "ab01c5e0-0000-11ee-9f2a-000000000001", "white": {"rating": 1500, "result": "win", "username": "erik", "uuid": "11111111-0000-11de-0000-000000000001"}, "black": {"rating": 1490, "result": "resigned", "username": "anna", "uuid": "11111111-0000-11de-0000-000000000002"}}, {"url": "https://x.org/g/2", "uuid": "ab01c5e0-0000-11ee-9f2a-000000000002", "white": {"rating": 1480, "result": "timeout", "username": "anna", "uuid": "11111111-0000-11de-0000-000000000002"}, "black": {"rating": 1510, "result": "win", "username": "erik", "uuid": "11111111-0000-11de-0000-000000000001"}}]}"#
      ], objects: ["Game": 2], words: ["1500", "1490", "1480", "1510", "resigned", "timeout"]),
    Answer(
      testDescription: "lists of objects in features",
      files: [
        "forecast.json":
          #"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [10.7, 59.9]}, "properties": {"meta": {"updated": "x"}, "timeseries": [{"time": "2024-05-01T11:00:00Z", "temp": 1}, {"time": "2024-05-01T12:00:00Z", "temp": 2}]}}"#
      ], objects: ["Forecast": 1, "Timeseries": 2], words: [#""temp":1}"#, #""temp":2}"#]),
  ]
}
