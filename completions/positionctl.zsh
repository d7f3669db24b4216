#compdef positionctl
# Written by `make documents` from the table of positionctl's commands.

_positionctl_region() {
  local state
  local -a commands
  _arguments -C \
    '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
    '--json[print JSON, one text a line, as the protocol has it]' \
    '--help[show help with examples]' \
    '-h[show help with examples]' \
    '1:command:->command' \
    '*::argument:->argument'
  case $state in
    command)
      commands=(
        'add:add or change a region under a durable name'
        'remove:remove a region of a durable name'
        'list:list the regions of your durable names'
        'watch:report when the device enters or leaves a place'
      )
      _describe command commands
      ;;
    argument)
      case $words[1] in
        add) _arguments \
          '--circle=[a circle\: its centre and its radius]:LAT,LON,RADIUS:' \
          '--polygon=[the corners of a polygon, each a latitude and a longitude; the last is joined with the first]:LAT,LON...:' \
          '--notify=[the events to report, in addition to expired (enter, exit, dwell, crossed; default enter,exit)]:EVENT,...:' \
          '--dwell=[seconds inside after which dwell is reported]:SECONDS:' \
          '--latency=[seconds by which an event may be late, so that the receiver can sleep]:SECONDS:' \
          '--expires=[seconds after which it ends]:SECONDS:' \
          '--initial=[whether the initial state is reported, although nothing was entered or left (none, ifInside, always; default none)]:INITIAL:(none ifInside always)' \
          '--durable=[the durable name of the region]:NAME:' \
          '--wake=[with --durable\: a service that events start, such as tracker.service]:UNIT:' \
          '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
          '--json[print JSON, one text a line, as the protocol has it]' \
          '--help[show help with examples]' \
          '-h[show help with examples]' \
          '*:argument:' ;;
        remove) _arguments \
          '--durable=[the durable name of the region]:NAME:' \
          '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
          '--json[print JSON, one text a line, as the protocol has it]' \
          '--help[show help with examples]' \
          '-h[show help with examples]' \
          '*:argument:' ;;
        list) _arguments \
          '--durable=[the durable name of the region]:NAME:' \
          '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
          '--json[print JSON, one text a line, as the protocol has it]' \
          '--help[show help with examples]' \
          '-h[show help with examples]' \
          '*:argument:' ;;
        watch) _arguments \
          '--circle=[a circle\: its centre and its radius]:LAT,LON,RADIUS:' \
          '--polygon=[the corners of a polygon, each a latitude and a longitude; the last is joined with the first]:LAT,LON...:' \
          '--notify=[the events to report, in addition to expired (enter, exit, dwell, crossed; default enter,exit)]:EVENT,...:' \
          '--dwell=[seconds inside after which dwell is reported]:SECONDS:' \
          '--latency=[seconds by which an event may be late, so that the receiver can sleep]:SECONDS:' \
          '--expires=[seconds after which it ends]:SECONDS:' \
          '--initial=[whether the initial state is reported, although nothing was entered or left (none, ifInside, always; default none)]:INITIAL:(none ifInside always)' \
          '--durable=[the durable name of the region]:NAME:' \
          '--count=[end after this many events]:COUNT:' \
          '-n[end after this many events]:COUNT:' \
          '--duration=[end after this time]:SECONDS:' \
          '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
          '--json[print JSON, one text a line, as the protocol has it]' \
          '--help[show help with examples]' \
          '-h[show help with examples]' \
          '*:argument:' ;;
      esac
      ;;
  esac
}

_positionctl_durable() {
  local state
  local -a commands
  _arguments -C \
    '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
    '--json[print JSON, one text a line, as the protocol has it]' \
    '--help[show help with examples]' \
    '-h[show help with examples]' \
    '1:command:->command' \
    '*::argument:->argument'
  case $state in
    command)
      commands=(
        'list:list your durable names and waiting events'
        'attach:print the events of a durable name'
        'acknowledge:acknowledge events'
        'remove:remove a durable name'
      )
      _describe command commands
      ;;
    argument)
      case $words[1] in
        list) _arguments \
          '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
          '--json[print JSON, one text a line, as the protocol has it]' \
          '--help[show help with examples]' \
          '-h[show help with examples]' \
          '*:argument:' ;;
        attach) _arguments \
          '--since=[acknowledges the events up to this one first]:EVENT:' \
          '--acknowledge[acknowledge each event after printing it]' \
          '--count=[end after this many events]:COUNT:' \
          '-n[end after this many events]:COUNT:' \
          '--duration=[end after this time]:SECONDS:' \
          '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
          '--json[print JSON, one text a line, as the protocol has it]' \
          '--help[show help with examples]' \
          '-h[show help with examples]' \
          '*:argument:' ;;
        acknowledge) _arguments \
          '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
          '--json[print JSON, one text a line, as the protocol has it]' \
          '--help[show help with examples]' \
          '-h[show help with examples]' \
          '*:argument:' ;;
        remove) _arguments \
          '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
          '--json[print JSON, one text a line, as the protocol has it]' \
          '--help[show help with examples]' \
          '-h[show help with examples]' \
          '*:argument:' ;;
      esac
      ;;
  esac
}

_positionctl_auth() {
  local state
  local -a commands
  _arguments -C \
    '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
    '--json[print JSON, one text a line, as the protocol has it]' \
    '--help[show help with examples]' \
    '-h[show help with examples]' \
    '1:command:->command' \
    '*::argument:->argument'
  case $state in
    command)
      commands=(
        'status:show your permission and how to change it'
        'request:ask for permission'
        'grants:list stored decisions (administrators)'
        'grant:grant or deny permission to a user (administrators)'
        'revoke:remove a stored decision (administrators)'
        'clients:list connected clients (administrators)'
        'enable:turn positions on again (administrators)'
        'disable:turn positions off for everybody (administrators)'
      )
      _describe command commands
      ;;
    argument)
      case $words[1] in
        status) _arguments \
          '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
          '--json[print JSON, one text a line, as the protocol has it]' \
          '--help[show help with examples]' \
          '-h[show help with examples]' \
          '*:argument:' ;;
        request) _arguments \
          '--level=[while connected, or also for durable registrations (whenInUse, always; default whenInUse)]:LEVEL:(whenInUse always)' \
          '--precision=[the requested precision\: precise, or reduced to a few kilometres (default precise)]:PRECISION:(precise reduced)' \
          '--force[asks again after a person answered no; a rule cannot be overridden]' \
          '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
          '--json[print JSON, one text a line, as the protocol has it]' \
          '--help[show help with examples]' \
          '-h[show help with examples]' \
          '*:argument:' ;;
        grants) _arguments \
          '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
          '--json[print JSON, one text a line, as the protocol has it]' \
          '--help[show help with examples]' \
          '-h[show help with examples]' \
          '*:argument:' ;;
        grant) _arguments \
          '--level=[the level for all programs of the user (deny, whenInUse, always)]:LEVEL:(deny whenInUse always)' \
          '--precision=[how precisely they may know the position; not allowed with deny (precise, reduced; default precise)]:PRECISION:(precise reduced)' \
          '--deny[the same as --level deny\: do not ask the user again]' \
          '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
          '--json[print JSON, one text a line, as the protocol has it]' \
          '--help[show help with examples]' \
          '-h[show help with examples]' \
          '*:argument:' ;;
        revoke) _arguments \
          '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
          '--json[print JSON, one text a line, as the protocol has it]' \
          '--help[show help with examples]' \
          '-h[show help with examples]' \
          '*:argument:' ;;
        clients) _arguments \
          '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
          '--json[print JSON, one text a line, as the protocol has it]' \
          '--help[show help with examples]' \
          '-h[show help with examples]' \
          '*:argument:' ;;
        enable) _arguments \
          '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
          '--json[print JSON, one text a line, as the protocol has it]' \
          '--help[show help with examples]' \
          '-h[show help with examples]' \
          '*:argument:' ;;
        disable) _arguments \
          '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
          '--json[print JSON, one text a line, as the protocol has it]' \
          '--help[show help with examples]' \
          '-h[show help with examples]' \
          '*:argument:' ;;
      esac
      ;;
  esac
}

_positionctl() {
  local state
  local -a commands
  _arguments -C \
    '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
    '--json[print JSON, one text a line, as the protocol has it]' \
    '--help[show help with examples]' \
    '-h[show help with examples]' \
    '--version[print the version]' \
    '1:command:->command' \
    '*::argument:->argument'
  case $state in
    command)
      commands=(
        'get:get one fix'
        'last:show the newest fix without turning the receiver on'
        'watch:print fixes as they come'
        'track:record a track into a file'
        'heading:show where the device points'
        'sky:show the satellites that the receiver sees'
        'region:report when the device enters or leaves a place'
        'durable:fetch events that occurred while your program was not running'
        'auth:show, request and grant permission to know the position'
        'agent:ask you whether programs may know where the device is'
        'status:show the status of positiond and the receiver'
        'monitor:watch when the receiver is on, and for whom'
        'call:call any method of the protocol'
        'doctor:find problems and suggest solutions'
      )
      _describe command commands
      ;;
    argument)
      case $words[1] in
        get) _arguments \
          '--accuracy=[the desired accuracy\: a level, or metres (city, neighborhood, block, house, room; default block)]:LEVEL|METRES:(city neighborhood block house room)' \
          '--accept=[the accuracy that is accepted at the timeout\: a level, or metres; if absent, the desired one (city, neighborhood, block, house, room)]:LEVEL|METRES:(city neighborhood block house room)' \
          '--max-age=[the greatest age of the fix in seconds; if absent, that of the accuracy’s level]:SECONDS:' \
          '--timeout=[seconds to wait; 0 means as long as the daemon allows (default 30)]:SECONDS:' \
          '--activity=[what moves the device (other, automotive, fitness, otherNavigation, airborne; default other)]:ACTIVITY:(other automotive fitness otherNavigation airborne)' \
          '--delay-until-authorized[starts the timeout only once the client’s permission is decided]' \
          '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
          '--json[print JSON, one text a line, as the protocol has it]' \
          '--help[show help with examples]' \
          '-h[show help with examples]' \
          '*:argument:' ;;
        last) _arguments \
          '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
          '--json[print JSON, one text a line, as the protocol has it]' \
          '--help[show help with examples]' \
          '-h[show help with examples]' \
          '*:argument:' ;;
        watch) _arguments \
          '--mode=[how fixes are delivered\: each one, with the receiver on (continuous), those far from the last one (significant), those that others need (passive), or many at once (deferred) (default continuous)]:MODE:(continuous significant passive deferred)' \
          '--accuracy=[the accuracy requested of the receiver\: a level, or metres; it does not filter fixes (city, neighborhood, block, house, room; default room)]:LEVEL|METRES:(city neighborhood block house room)' \
          '--min-interval=[the least time between two deliveries, in seconds (default 1)]:SECONDS:' \
          '--min-distance=[the least distance from the last delivered fix, in metres (default 0)]:METRES:' \
          '--max-interval=[seconds without a delivery after which the newest fix is delivered again]:SECONDS:' \
          '--only-better-than=[metres\: fixes with a larger or unknown accuracy are not delivered]:METRES:' \
          '--count=[the number of updates with a fix after which the subscription ends]:COUNT:' \
          '-n[the number of updates with a fix after which the subscription ends]:COUNT:' \
          '--duration=[seconds after which it ends]:SECONDS:' \
          '--deferred-distance=[metres along the path after which a batch is delivered; mode deferred]:METRES:' \
          '--deferred-timeout=[seconds after its first fix at which a batch is delivered; mode deferred]:SECONDS:' \
          '--significant-distance=[metres from the last delivery that make a change significant; mode significant (default 500)]:METRES:' \
          '--significant-interval=[the least time between two significant changes, in seconds; mode significant (default 300)]:SECONDS:' \
          '--acquire=[searches for a good fix after each significant change; mode significant (defaults\: budget 15, desired accuracy 10, acceptable accuracy 100)]:SECONDS[,METRES[,METRES]]:' \
          '--activity=[what moves the device (other, automotive, fitness, otherNavigation, airborne; default other)]:ACTIVITY:(other automotive fitness otherNavigation airborne)' \
          '--auto-pause[pauses delivery while the device rests]' \
          '--replay=[whether a cached fix is delivered first\: a fresh one, any, or none (default fresh)]:REPLAY:(fresh any none)' \
          '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
          '--json[print JSON, one text a line, as the protocol has it]' \
          '--help[show help with examples]' \
          '-h[show help with examples]' \
          '*:argument:' ;;
        track) _arguments \
          '--output=[output file, ending in .gpx, .geojson or .svg]:FILE:_files' \
          '-o[output file, ending in .gpx, .geojson or .svg]:FILE:_files' \
          '--accuracy=[the accuracy requested of the receiver\: a level, or metres; it does not filter fixes (city, neighborhood, block, house, room; default room)]:LEVEL|METRES:(city neighborhood block house room)' \
          '--min-interval=[the least time between two deliveries, in seconds (default 1)]:SECONDS:' \
          '--min-distance=[the least distance from the last delivered fix, in metres (default 0)]:METRES:' \
          '--duration=[seconds after which it ends]:SECONDS:' \
          '--overwrite[replace an existing file]' \
          '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
          '--json[print JSON, one text a line, as the protocol has it]' \
          '--help[show help with examples]' \
          '-h[show help with examples]' \
          '*:argument:' ;;
        heading) _arguments \
          '--max-age=[the greatest age of the heading in seconds (default 5)]:SECONDS:' \
          '--timeout=[seconds to wait; 0 means as long as the daemon allows (default 30)]:SECONDS:' \
          '--watch[keep updating until Ctrl-C]' \
          '-w[keep updating until Ctrl-C]' \
          '--min-change=[with --watch\: the least angle in degrees from the last delivered heading (default 1)]:DEGREES:' \
          '--min-interval=[with --watch\: seconds between two deliveries (default 0)]:SECONDS:' \
          '--max-interval=[with --watch\: seconds without a delivery after which the newest heading is delivered again]:SECONDS:' \
          '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
          '--json[print JSON, one text a line, as the protocol has it]' \
          '--help[show help with examples]' \
          '-h[show help with examples]' \
          '*:argument:' ;;
        sky) _arguments \
          '--watch[keep updating until Ctrl-C]' \
          '-w[keep updating until Ctrl-C]' \
          '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
          '--json[print JSON, one text a line, as the protocol has it]' \
          '--help[show help with examples]' \
          '-h[show help with examples]' \
          '*:argument:' ;;
        region) _positionctl_region ;;
        durable) _positionctl_durable ;;
        auth) _positionctl_auth ;;
        agent) _arguments \
          '--once[end after one answer]' \
          '--yes[allow everything without asking]' \
          '--no[deny everything without asking]' \
          '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
          '--json[print JSON, one text a line, as the protocol has it]' \
          '--help[show help with examples]' \
          '-h[show help with examples]' \
          '*:argument:' ;;
        status) _arguments \
          '--why[show who keeps the receiver on]' \
          '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
          '--json[print JSON, one text a line, as the protocol has it]' \
          '--help[show help with examples]' \
          '-h[show help with examples]' \
          '*:argument:' ;;
        monitor) _arguments \
          '--interval=[time between two pictures (1s)]:SECONDS:' \
          '--count=[end after this many pictures]:COUNT:' \
          '-n[end after this many pictures]:COUNT:' \
          '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
          '--json[print JSON, one text a line, as the protocol has it]' \
          '--help[show help with examples]' \
          '-h[show help with examples]' \
          '*:argument:' ;;
        call) _arguments \
          '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
          '--json[print JSON, one text a line, as the protocol has it]' \
          '--help[show help with examples]' \
          '-h[show help with examples]' \
          '*:argument:' ;;
        doctor) _arguments \
          '--gpsd=[gpsd’s address (127.0.0.1\:2947), as in (gpsd) of positiond.conf]:ADDRESS[:PORT]:' \
          '--socket=[positiond’s socket; else that of POSITIOND_SOCKET]:PATH:_files' \
          '--json[print JSON, one text a line, as the protocol has it]' \
          '--help[show help with examples]' \
          '-h[show help with examples]' \
          '*:argument:' ;;
      esac
      ;;
  esac
}

_positionctl "$@"
