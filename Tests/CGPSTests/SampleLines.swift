import CGPS

@testable import Gpsd

extension LibgpsParser {
  func parse(_ line: String) -> cgps_report { self.parse(Array(line.utf8)) }
}

/// One line of each class that is read, as gpsd 3.22 and 3.25 send them.
let sampleLines: [(line: String, class: cgps_class)] = [
  (#"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#, CGPS_VERSION),
  (
    #"{"class":"TPV","device":"/dev/ttyACM0","status":2,"mode":3,"time":"2026-02-21T00:59:47.500Z","ept":0.005,"#
      + #""lat":37.26,"lon":-121.96,"altHAE":12.5,"altMSL":45.0,"speed":1.5,"track":90.0,"eph":2.5,"magvar":13.2}"#,
    CGPS_TPV
  ),
  (
    #"{"class":"SKY","device":"/dev/ttyACM0","hdop":0.9,"vdop":1.1,"pdop":1.4,"nSat":2,"satellites":["#
      + #"{"PRN":5,"el":30.0,"az":40.0,"ss":44.0,"used":true,"gnssid":0,"svid":5,"health":1},"#
      + #"{"PRN":305,"el":10.0,"az":140.0,"ss":24.0,"used":false,"gnssid":2,"svid":5}]}"#, CGPS_SKY
  ),
  (#"{"class":"ATT","device":"/dev/ttyS0","heading":123.5,"mag_st":"N","pitch":1.0,"roll":2.0}"#, CGPS_ATT),
  (
    #"{"class":"GST","device":"/dev/ttyS0","time":"2026-02-21T00:59:47.000Z","rms":1.0,"lat":1.5,"lon":2.5,"alt":4.0}"#,
    CGPS_GST
  ),
  (
    #"{"class":"DEVICE","path":"/dev/ttyACM0","driver":"u-blox","subtype":"SW 1.00","activated":"#
      + #""2026-02-21T00:59:40.000Z","flags":1,"native":1,"bps":9600,"parity":"N","stopbits":1,"cycle":0.25}"#,
    CGPS_DEVICE
  ),
  (
    #"{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0,"scaled":false,"device":"/dev/ttyACM0"}"#,
    CGPS_WATCH
  ),
]
