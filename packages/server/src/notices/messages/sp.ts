import type { Messages } from './messages.ts';

export const sp: Messages = {
  otp: {
    LOGIN: '{code} es su código para entrar. Vale {minutes} minutos. Nunca llamamos para pedirlo.',
    FORGOT_PASSWORD: '{code} es su código para crear un nuevo M-PIN. Vale {minutes} minutos. No se lo diga a nadie.',
    UNINSTALL:
      '{code} es su código para quitar la aplicación del teléfono de un cliente. Vale {minutes} minutos. No se lo diga a nadie.',
    BYPASS_CODE:
      '{code} es su código para crear el código de desbloqueo del teléfono de un cliente. Vale {minutes} minutos. No se lo diga a nadie.',
    CONSENT:
      '{code}: dé este código en la tienda solo si acepta las condiciones de las cuotas que firmó: {financed} en {emis} cuotas de {amount}, {total} en total. Si no paga a tiempo, tras un aviso se pueden bloquear aplicaciones de su teléfono. Si no firmó, no se lo diga a nadie. Vale {minutes} minutos.',
    TERMS:
      '{code}: dé este código en la tienda solo si acepta sus nuevas cuotas: {amount} cada una hasta el {until_on}, {outstanding} en total. Si no las acepta, no se lo diga a nadie. Vale {minutes} minutos.',
    NUMBER:
      '{code}: dé este código en la tienda solo si quiere cambiar su número de móvil por el que termina en {ending}. Vale {minutes} minutos. Si usted no lo pidió, no se lo diga a nadie.',
    THEFT_REPORT:
      '{code}: diga este código en la tienda solo si le robaron el teléfono. Se bloqueará enseguida. Vale {minutes} minutos. Si usted no lo pidió, no se lo diga a nadie.',
    THEFT_LIFT:
      '{code}: diga este código en la tienda solo si ya tiene otra vez su teléfono robado. Se quitará el bloqueo por robo. Vale {minutes} minutos. Si usted no lo pidió, no se lo diga a nadie.',
  },
  reminder:
    '{shop}: su cuota de {amount} (contrato {agreement_no}) vence el {due_on}. Pague en la tienda o por UPI. Consultas: {phone}',
  reminder_today:
    '{shop}: su cuota de {amount} (contrato {agreement_no}) vence hoy. Pague en la tienda o por UPI. Preguntas: {phone}',
  notice:
    '{shop}: debe {amount} desde el {due_on} (contrato {agreement_no}). Pague a más tardar el {pay_by_on}. Si no, algunas aplicaciones del teléfono pueden quedar desactivadas desde el {from_on}. Las llamadas, internet y los números de emergencia siguen funcionando. Pague en la tienda o por UPI. Si es un error, díganoslo en la pantalla del teléfono o llame al {phone}. Detalles: {link}',
  locked:
    '{shop}: su teléfono está bloqueado porque debe {amount} desde el {due_on} (contrato {agreement_no}). Las llamadas, internet y los números de emergencia siguen funcionando. Pague en la tienda o por UPI y se desbloqueará enseguida. Si es un error, pulse "Reclamar" en el teléfono o llame al {phone}. Detalles: {link}',
  held: '{shop}: su teléfono está bloqueado, como usted pidió. Las llamadas, internet y los números de emergencia siguen funcionando. Para desbloquearlo: {phone}',
  unlocked:
    '{shop}: su teléfono ya está desbloqueado (contrato {agreement_no}). Si no es así, conéctelo a internet o llame al {phone}',
  released:
    '{shop}: ha pagado todas las cuotas del contrato {agreement_no}. El teléfono ya es completamente suyo; ya no tiene ninguna restricción. ¡Gracias! {phone}',
  receipt:
    '{shop}: recibimos {amount} el {paid_at}. Recibo {receipt_no}, contrato {agreement_no}. Le queda por pagar: {outstanding}. ¡Gracias! {phone}',
  receipt_over:
    '{shop}: recibimos {amount} de más el {paid_at}. Recibo {receipt_no}, contrato {agreement_no}. La tienda le devolverá ese dinero. {phone}',
  penal:
    '{shop}: se añadió un recargo de {amount} a la cuota del {due_on} (contrato {agreement_no}). No genera intereses y nunca bloquea el teléfono. Preguntas: {phone}',
  penal_waived:
    '{shop}: se le perdonan {amount} del recargo de la cuota del {due_on} (contrato {agreement_no}). No tiene que pagarlos. Preguntas: {phone}',
  dispute_answered:
    '{shop}: ya hay respuesta a su reclamación sobre la cuota del {due_on} (contrato {agreement_no}). Léala en la aplicación o pregunte en la tienda. Si no está de acuerdo, puede reclamar a la empresa hasta el {until_on}. Hasta entonces no habrá ningún bloqueo nuevo. Ayuda: {phone}',
  dispute_closed:
    '{shop}: la empresa ha respondido a su reclamación sobre la cuota del {due_on} (contrato {agreement_no}). Lea la respuesta en la aplicación o pregunte en la tienda. Hasta el {until_on} no habrá ningún bloqueo nuevo. Ayuda: {phone}',
  dispute_rejected:
    '{shop}: la empresa no aceptó su reclamación sobre la cuota del {due_on} (contrato {agreement_no}). Lea el motivo en la aplicación o pregunte en la tienda. Después de un aviso, el teléfono puede volver a bloquearse. Ayuda: {phone}',
  dispute_over_answered:
    '{shop}: el contrato {agreement_no} ha terminado. Ya hay respuesta a su reclamación sobre la cuota del {due_on}: léala en la aplicación o pregunte en la tienda. Si no está de acuerdo, puede reclamar a la empresa hasta el {until_on}. El teléfono no se bloqueará por esto. Ayuda: {phone}',
  dispute_over:
    '{shop}: el contrato {agreement_no} ha terminado. Su reclamación sobre la cuota del {due_on} se cerró con una respuesta: léala en la aplicación o pregunte en la tienda. El teléfono no se bloqueará por esto. Ayuda: {phone}',
  alert:
    '{shop}: por favor pague {amount}, con vencimiento el {due_on} (contrato {agreement_no}). Pague en la tienda o por UPI. Preguntas: {phone}',
  on_phone: {
    call_shop: '{shop}: por favor llámenos al {phone} por su cuota de {amount}, con vencimiento el {due_on}.',
    visit_shop:
      '{shop}: por favor venga a la tienda por su cuota de {amount}, con vencimiento el {due_on}. Preguntas: {phone}',
    keep_online:
      '{shop}: por favor tenga el teléfono encendido y conectado a internet para que muestre sus pagos. Preguntas: {phone}',
  },
  schedule:
    '{shop}: sus cuotas han cambiado (contrato {agreement_no}): {amount} cada una del {from_on} al {until_on}. Le queda por pagar: {outstanding}. Si usted no lo pidió, avise a la tienda o llame al {phone}',
  number_changed:
    '{shop}: se cambió el número de móvil del contrato {agreement_no}. Los mensajes y códigos ya no llegarán a este número. Si usted no lo pidió, avise a la tienda o llame al {phone}',
  signup_approved:
    '{organisation}: su cuenta ya está abierta. Preguntas: {contact}. Entre con este número de móvil: {link}',
  signup_refused: '{organisation}: su solicitud de cuenta no fue aceptada. Para preguntar el motivo: {contact}',
};
