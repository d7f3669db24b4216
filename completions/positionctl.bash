# Written by `make documents` from the table of positionctl's commands.
# shellcheck shell=bash

_positionctl() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command='' words='' index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case ${COMP_WORDS[index]} in
      --accept|--accuracy|--acquire|--activity|--circle|--count|--deferred-distance|--deferred-timeout|--durable|--duration|--dwell|--expires|--gpsd|--initial|--interval|--latency|--level|--max-age|--max-interval|--min-change|--min-distance|--min-interval|--mode|--notify|--only-better-than|--output|--polygon|--precision|--replay|--significant-distance|--significant-interval|--since|--socket|--timeout|--wake|-n|-o) ((index++)) ;;
      -*) ;;
      *)
        command=${command:+$command }${COMP_WORDS[index]}
        case $command in region|durable|auth) ;; *) break ;; esac
        ;;
    esac
  done
  case $command:$before in
    'get:--accuracy') words='city neighborhood block house room' ;;
    'get:--accept') words='city neighborhood block house room' ;;
    'get:--max-age') words='' ;;
    'get:--timeout') words='' ;;
    'get:--activity') words='other automotive fitness otherNavigation airborne' ;;
    'get:--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    'last:--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    'watch:--mode') words='continuous significant passive deferred' ;;
    'watch:--accuracy') words='city neighborhood block house room' ;;
    'watch:--min-interval') words='' ;;
    'watch:--min-distance') words='' ;;
    'watch:--max-interval') words='' ;;
    'watch:--only-better-than') words='' ;;
    'watch:--count'|'watch:-n') words='' ;;
    'watch:--duration') words='' ;;
    'watch:--deferred-distance') words='' ;;
    'watch:--deferred-timeout') words='' ;;
    'watch:--significant-distance') words='' ;;
    'watch:--significant-interval') words='' ;;
    'watch:--acquire') words='' ;;
    'watch:--activity') words='other automotive fitness otherNavigation airborne' ;;
    'watch:--replay') words='fresh any none' ;;
    'watch:--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    'track:--output'|'track:-o') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    'track:--accuracy') words='city neighborhood block house room' ;;
    'track:--min-interval') words='' ;;
    'track:--min-distance') words='' ;;
    'track:--duration') words='' ;;
    'track:--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    'heading:--max-age') words='' ;;
    'heading:--timeout') words='' ;;
    'heading:--min-change') words='' ;;
    'heading:--min-interval') words='' ;;
    'heading:--max-interval') words='' ;;
    'heading:--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    'sky:--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    'region add:--circle') words='' ;;
    'region add:--polygon') words='' ;;
    'region add:--notify') words='' ;;
    'region add:--dwell') words='' ;;
    'region add:--latency') words='' ;;
    'region add:--expires') words='' ;;
    'region add:--initial') words='none ifInside always' ;;
    'region add:--durable') words='' ;;
    'region add:--wake') words='' ;;
    'region add:--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    'region remove:--durable') words='' ;;
    'region remove:--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    'region list:--durable') words='' ;;
    'region list:--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    'region watch:--circle') words='' ;;
    'region watch:--polygon') words='' ;;
    'region watch:--notify') words='' ;;
    'region watch:--dwell') words='' ;;
    'region watch:--latency') words='' ;;
    'region watch:--expires') words='' ;;
    'region watch:--initial') words='none ifInside always' ;;
    'region watch:--durable') words='' ;;
    'region watch:--count'|'region watch:-n') words='' ;;
    'region watch:--duration') words='' ;;
    'region watch:--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    'durable list:--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    'durable attach:--since') words='' ;;
    'durable attach:--count'|'durable attach:-n') words='' ;;
    'durable attach:--duration') words='' ;;
    'durable attach:--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    'durable acknowledge:--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    'durable remove:--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    'auth status:--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    'auth request:--level') words='whenInUse always' ;;
    'auth request:--precision') words='precise reduced' ;;
    'auth request:--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    'auth grants:--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    'auth grant:--level') words='deny whenInUse always' ;;
    'auth grant:--precision') words='precise reduced' ;;
    'auth grant:--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    'auth revoke:--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    'auth clients:--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    'auth enable:--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    'auth disable:--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    'agent:--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    'status:--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    'monitor:--interval') words='' ;;
    'monitor:--count'|'monitor:-n') words='' ;;
    'monitor:--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    'call:--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    'doctor:--gpsd') words='' ;;
    'doctor:--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    ':--socket') mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    *)
      case $command in
        '') words='get last watch track heading sky region durable auth agent status monitor call doctor --socket --json --help -h --version' ;;
        region) words='add remove list watch --socket --json --help -h' ;;
        durable) words='list attach acknowledge remove --socket --json --help -h' ;;
        auth) words='status request grants grant revoke clients enable disable --socket --json --help -h' ;;
        'get') words='--accuracy --accept --max-age --timeout --activity --delay-until-authorized --socket --json --help -h' ;;
        'last') words='--socket --json --help -h' ;;
        'watch') words='--mode --accuracy --min-interval --min-distance --max-interval --only-better-than --count -n --duration --deferred-distance --deferred-timeout --significant-distance --significant-interval --acquire --activity --auto-pause --replay --socket --json --help -h' ;;
        'track') words='--output -o --accuracy --min-interval --min-distance --duration --overwrite --socket --json --help -h' ;;
        'heading') words='--max-age --timeout --watch -w --min-change --min-interval --max-interval --socket --json --help -h' ;;
        'sky') words='--watch -w --socket --json --help -h' ;;
        'region add') words='--circle --polygon --notify --dwell --latency --expires --initial --durable --wake --socket --json --help -h' ;;
        'region remove') words='--durable --socket --json --help -h' ;;
        'region list') words='--durable --socket --json --help -h' ;;
        'region watch') words='--circle --polygon --notify --dwell --latency --expires --initial --durable --count -n --duration --socket --json --help -h' ;;
        'durable list') words='--socket --json --help -h' ;;
        'durable attach') words='--since --acknowledge --count -n --duration --socket --json --help -h' ;;
        'durable acknowledge') words='--socket --json --help -h' ;;
        'durable remove') words='--socket --json --help -h' ;;
        'auth status') words='--socket --json --help -h' ;;
        'auth request') words='--level --precision --force --socket --json --help -h' ;;
        'auth grants') words='--socket --json --help -h' ;;
        'auth grant') words='--level --precision --deny --socket --json --help -h' ;;
        'auth revoke') words='--socket --json --help -h' ;;
        'auth clients') words='--socket --json --help -h' ;;
        'auth enable') words='--socket --json --help -h' ;;
        'auth disable') words='--socket --json --help -h' ;;
        'agent') words='--once --yes --no --socket --json --help -h' ;;
        'status') words='--why --socket --json --help -h' ;;
        'monitor') words='--interval --count -n --socket --json --help -h' ;;
        'call') words='--socket --json --help -h' ;;
        'doctor') words='--gpsd --socket --json --help -h' ;;
      esac
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -F _positionctl positionctl
