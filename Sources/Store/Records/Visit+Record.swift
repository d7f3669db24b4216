import JSONRPC
import Positioning

extension Visit: Record {
  static let record = ObjectCodec<Visit>(blank: Visit(id: 0, latitude: 0, longitude: 0, horizontalAccuracy: 0)) {
    Field.optional("arrival", \.arrival, .moment)
    // Earlier versions stored no uncertainties.
    Field.optional("arrivalUncertainty", \.arrivalUncertainty, .duration)
    Field.optional("departure", \.departure, .moment)
    Field.optional("departureUncertainty", \.departureUncertainty, .duration)
    Field.required("horizontalAccuracy", \.horizontalAccuracy, .number)
    Field.required("id", \.id, .integer)
    Field.required("latitude", \.latitude, .number)
    Field.required("longitude", \.longitude, .number)
  } check: { (visit: inout Visit, _: JSONView) throws(CodingFailure) in
    try checkPlace(visit.latitude, visit.longitude)
  }

  mutating func map(by clock: ClockMapping) {
    self.arrival = self.arrival.map { clock.past($0) }
    self.departure = self.departure.map { clock.past($0) }
  }
}
